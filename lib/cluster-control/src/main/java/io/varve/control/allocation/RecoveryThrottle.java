package io.varve.control.allocation;

import io.varve.cluster.ClusterAllocationSettings;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.AllocationDeciders.Answer;
import io.varve.control.allocation.AllocationDeciders.Verdict;

/**
 * Limits concurrent recoveries to a node and from the primaries of a node. A primary and the first
 * copies of a new index are not throttled, because they start empty.
 */
final class RecoveryThrottle {

  private static final String NAME = "throttling";
  private static final String CREATED = "INDEX_CREATED";

  private RecoveryThrottle() {}

  static Verdict decide(Candidate place) {
    if (startsEmpty(place.copy())) {
      return new Verdict(NAME, true, "a copy that starts empty is not throttled");
    }
    int incoming = limit(place.state(), ClusterAllocationSettings.CONCURRENT_INCOMING);
    int outgoing = limit(place.state(), ClusterAllocationSettings.CONCURRENT_OUTGOING);
    int in = place.tally().get().incoming(place.node().nodeId());
    if (in >= incoming) {
      return throttled(
          "incoming shard recoveries [" + in + "]",
          ClusterAllocationSettings.CONCURRENT_INCOMING,
          incoming);
    }
    String source = place.shard().primary().nodeId();
    int out = place.tally().get().outgoing(source);
    return out >= outgoing
        ? throttled(
            "outgoing shard recoveries ["
                + out
                + "] on the node ["
                + source
                + "] which holds the primary",
            ClusterAllocationSettings.CONCURRENT_OUTGOING,
            outgoing)
        : new Verdict(
            NAME,
            true,
            "below shard recovery limit of outgoing: ["
                + out
                + " < "
                + outgoing
                + "] incoming: ["
                + in
                + " < "
                + incoming
                + "]");
  }

  private static boolean startsEmpty(CopyRouting copy) {
    return copy.state() == CopyRouting.State.UNASSIGNED
        && (copy.primary() || copy.reason().equals(CREATED));
  }

  /**
   * Whether no node may build the copy now, because of the recoveries from the node of its primary.
   */
  static boolean isSourceBusy(
      ClusterState state, ShardRouting shard, CopyRouting copy, CopyTally tally) {
    return !startsEmpty(copy)
        && tally.outgoing(shard.primary().nodeId())
            >= limit(state, ClusterAllocationSettings.CONCURRENT_OUTGOING);
  }

  private static Verdict throttled(String what, String setting, int limit) {
    return new Verdict(
        NAME,
        Answer.THROTTLE,
        "reached the limit of "
            + what
            + ", cluster setting ["
            + setting
            + "="
            + limit
            + "] (can also be set via ["
            + ClusterAllocationSettings.CONCURRENT_RECOVERIES
            + "])");
  }

  private static int limit(ClusterState state, String setting) {
    String own = ClusterSettings.value(state, setting);
    return Integer.parseInt(
        own == null
            ? String.valueOf(
                ClusterSettings.value(state, ClusterAllocationSettings.CONCURRENT_RECOVERIES))
            : own);
  }
}
