package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import java.util.HashSet;
import java.util.Set;

/** A search copy never becomes the primary. */
final class SearchCopyIsNeverPromoted implements Invariant {

  private final Set<String> forSearch = new HashSet<>();

  @Override
  public void observe(Observation observation, World world) {
    if (!(observation instanceof Observation.Routed routed)) {
      return;
    }
    routed.now().searchReplicas().stream().map(CopyRouting::copyId).forEach(forSearch::add);
    String primary = routed.now().primary().copyId();
    require(!forSearch.contains(primary), "%s is the primary: %s", primary, routed.now());
  }
}
