package io.varve.control.allocation;

import io.varve.cluster.ClusterAllocationSettings;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.AllocationDeciders.Answer;
import io.varve.control.allocation.AllocationDeciders.Verdict;
import java.util.function.Predicate;

/**
 * Limits concurrent recoveries to a node and from the primaries of a node. A primary and the first
 * copies of a new index are not throttled: they begin empty.
 */
final class RecoveryThrottle {

  private static final String NAME = "throttling";
  private static final String CREATED = "INDEX_CREATED";

  private RecoveryThrottle() {}

  static Verdict decide(Candidate place) {
    CopyRouting copy = place.copy();
    boolean empty =
        copy.state() == CopyRouting.State.UNASSIGNED
            && (copy.primary() || copy.reason().equals(CREATED));
    if (empty) {
      return new Verdict(NAME, true, "a copy that starts empty is not throttled");
    }
    int incoming = limit(place.state(), ClusterAllocationSettings.CONCURRENT_INCOMING);
    int outgoing = limit(place.state(), ClusterAllocationSettings.CONCURRENT_OUTGOING);
    long in = incoming(place.state(), place.node().nodeId());
    if (in >= incoming) {
      return throttled(
          "incoming shard recoveries [" + in + "]",
          ClusterAllocationSettings.CONCURRENT_INCOMING,
          incoming);
    }
    String source = place.shard().primary().nodeId();
    long out = source == null ? 0 : outgoing(place.state(), source);
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

  private static long incoming(ClusterState state, String nodeId) {
    return building(state, shard -> true, copy -> copy.isOn(nodeId));
  }

  private static long outgoing(ClusterState state, String nodeId) {
    return building(state, shard -> shard.primary().isOn(nodeId), copy -> true);
  }

  private static long building(
      ClusterState state, Predicate<ShardRouting> from, Predicate<CopyRouting> to) {
    return state.indices().values().stream()
        .filter(index -> !index.closed())
        .flatMap(index -> index.shards().stream())
        .filter(from)
        .flatMap(shard ->
            shard.everywhere().stream()
                .filter(to)
                .filter(copy -> !copy.primary())
                .filter(copy -> copy.state() == CopyRouting.State.INITIALIZING)
                .filter(copy ->
                    !copy.reason().equals(CREATED)
                        || shard.relocationTo(copy.copyId()).isPresent()))
        .count();
  }
}
