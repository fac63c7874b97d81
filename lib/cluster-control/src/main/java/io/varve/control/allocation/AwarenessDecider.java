package io.varve.control.allocation;

import io.varve.cluster.ClusterAllocationSettings;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.NodeInfo;
import io.varve.control.allocation.AllocationDeciders.Verdict;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Spreads the copies of a shard over the values of node attributes such as zones: with c copies and
 * v values, each value gets at most ⌈c / v⌉. Forced values count even if no node has them, so that
 * the copies of a lost zone are not allocated to the other zones. Search-only copies are not
 * spread.
 */
final class AwarenessDecider {

  private static final String NAME = "awareness";

  private AwarenessDecider() {}

  static Verdict decide(Candidate place) {
    List<String> attributes =
        ClusterSettings.words(place.state(), ClusterAllocationSettings.AWARENESS_ATTRIBUTES);
    if (attributes.isEmpty() || place.copy().searchOnly()) {
      return new Verdict(
          NAME,
          true,
          "allocation awareness is not enabled, set cluster setting ["
              + ClusterAllocationSettings.AWARENESS_ATTRIBUTES
              + "] to enable it");
    }
    for (String attribute : attributes) {
      String value = place.node().attributes().get(attribute);
      if (value == null) {
        return new Verdict(
            NAME,
            false,
            "node does not contain the awareness attribute ["
                + attribute
                + "]; required attributes cluster setting ["
                + ClusterAllocationSettings.AWARENESS_ATTRIBUTES
                + "="
                + String.join(",", attributes)
                + "]");
      }
      int copies = place.index().numberOfReplicas() + 1;
      int values = values(place.state(), attribute).size();
      int most = (copies + values - 1) / values;
      long there = there(place, attribute, value);
      if (there > most) {
        return new Verdict(NAME, false, tooMany(attribute, copies, values, there, most));
      }
    }
    return new Verdict(NAME, true, "node meets all awareness attribute requirements");
  }

  /** The number of copies with this attribute value, including the candidate. */
  private static long there(Candidate place, String attribute, String value) {
    return 1
        + Candidate.staying(place.shard())
            .filter(other -> !other.searchOnly())
            .filter(other -> !other.copyId().equals(place.copy().copyId()))
            .filter(other -> other.nodeId() != null)
            .map(other -> place.state().nodes().get(other.nodeId()))
            .filter(node -> node != null && value.equals(node.attributes().get(attribute)))
            .count();
  }

  private static Set<String> values(ClusterState state, String attribute) {
    Set<String> values =
        new HashSet<>(
            ClusterSettings.words(
                state, ClusterAllocationSettings.FORCED_AWARENESS + attribute + ".values"));
    for (NodeInfo node : state.nodes().values()) {
      String value = node.attributes().get(attribute);
      if (value != null && node.holdsCopies()) {
        values.add(value);
      }
    }
    return values;
  }

  private static String tooMany(String attribute, int copies, int values, long there, int most) {
    return String.format(
        Locale.ROOT,
        "there are too many copies of the shard allocated to nodes with attribute [%s], there are"
            + " [%d] total configured shard copies for this shard id and [%d] total attribute"
            + " values, expected the allocated shard count per attribute [%d] to be less than or"
            + " equal to the upper bound of the required number of shards per attribute [%d]",
        attribute,
        copies,
        values,
        there,
        most);
  }
}
