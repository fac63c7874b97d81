package io.varve.testkit.sim;

import java.util.IdentityHashMap;

/** The visible seq_no of a copy never decreases during the life of its process. */
final class VisibleSeqNoNeverGoesBack implements Invariant {

  private final IdentityHashMap<SimCopy, Long> shown = new IdentityHashMap<>();

  @Override
  public void observe(Observation observation, World world) {
    if (observation instanceof Observation.Shown(SimCopy copy)) {
      Long before = shown.put(copy, copy.visibleSeqNo());
      require(
          before == null || copy.visibleSeqNo() >= before,
          "%s went back from %d to %d",
          copy,
          before,
          copy.visibleSeqNo());
    }
  }
}
