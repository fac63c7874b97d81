package io.varve.cluster;

import io.varve.cluster.AllocationDeciders.Verdict;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Spreads the copies of a shard over the values of attributes of nodes, zones for example: of c
 * copies and v values each value gets at most ⌈c / v⌉. Values that are forced count though no node
 * has them now, so what a lost zone held is not crowded into the others. Copies for searches alone
 * are not spread.
 */
final class AwarenessDecider {

  static final String ATTRIBUTES = "cluster.routing.allocation.awareness.attributes";
  static final String FORCE = "cluster.routing.allocation.awareness.force.";
  private static final String NAME = "awareness";

  private AwarenessDecider() {}

  static Verdict decide(Candidate place) {
    List<String> attributes = words(ClusterSettings.value(place.state(), ATTRIBUTES));
    if (attributes.isEmpty() || place.copy().searchOnly()) {
      return new Verdict(
          NAME,
          true,
          "allocation awareness is not enabled, set cluster setting ["
              + ATTRIBUTES
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
                + ATTRIBUTES
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

  /** With the candidate. */
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
        new HashSet<>(words(ClusterSettings.value(state, FORCE + attribute + ".values")));
    for (NodeInfo node : state.nodes().values()) {
      String value = node.attributes().get(attribute);
      if (value != null && node.holdsCopies()) {
        values.add(value);
      }
    }
    return values;
  }

  static List<String> words(String value) {
    return value == null
        ? List.of()
        : Arrays.stream(value.split(",", -1))
            .map(String::strip)
            .filter(word -> !word.isEmpty())
            .toList();
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
