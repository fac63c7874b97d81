package io.varve.coordinator.rest.cluster;

import static io.varve.rest.JsonObjects.object;

import io.varve.client.routing.LaggingCopies;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.NodeInfo;
import io.varve.control.Membership;
import io.varve.control.allocation.AllocationDeciders;
import io.varve.control.allocation.AllocationDeciders.Answer;
import io.varve.control.allocation.AllocationDeciders.Verdict;
import io.varve.control.allocation.NodeReturn;
import io.varve.control.allocation.Reconciler;
import io.varve.coordinator.rest.NodeFilter;
import io.varve.events.CopyProgress;
import io.varve.rest.HumanText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Explains, in OpenSearch's format, why a copy is on its node or why it is unassigned.
 *
 * <pre>
 *   assigned       may it stay?  yes: does rebalancing move it, and if not, what prevents that
 *                                no:  which deciders object, may it go elsewhere
 *                  its failure, if it has failed
 *   unassigned     why and since when; whether its node is awaited, else the best decision of a
 *                  node
 *   both           the decision and the rank of each other data node
 * </pre>
 *
 * The decisions are those of the leader's deciders, applied to one state and the disk usage that
 * was last reported. One input is missing: only the leader knows on which nodes the copy failed
 * recently, which it remembers for at most a minute.
 */
final class AllocationExplanation {

  private final ClusterState state;
  private final ExplainedCopy subject;
  private final AllocationDeciders deciders;
  private final List<Membership.Refused> refused;
  private final UnassignedTimes times;
  private final LaggingCopies laggards;
  private final @Nullable CopyProgress failing;

  /**
   * @param failing the copy's last report, if it failed
   */
  AllocationExplanation(
      ClusterState state,
      ExplainedCopy subject,
      Map<String, DiskUsage> disks,
      List<Membership.Refused> refused,
      UnassignedTimes times,
      LaggingCopies laggards,
      @Nullable CopyProgress failing) {
    this.state = state;
    this.subject = subject;
    this.deciders = new AllocationDeciders(state, Set.of(), disks);
    this.refused = refused;
    this.times = times;
    this.laggards = laggards;
    this.failing = failing;
  }

  Map<String, Object> toJson(boolean yesToo) {
    CopyRouting copy = subject.copy();
    boolean placed = ExplainedCopy.isPlaced(state, copy);
    Map<String, Object> answer =
        object(
            "index", subject.index().name(),
            "shard", subject.shard().shard().number(),
            "primary", copy.primary(),
            "current_state", placed ? subject.activity() : "unassigned");
    List<Map<String, Object>> decisions = decisions(yesToo);
    if (placed) {
      putPlaced(answer);
    } else {
      putUnassigned(answer);
    }
    answer.put("node_allocation_decisions", decisions);
    return answer;
  }

  private void putPlaced(Map<String, Object> answer) {
    CopyRouting copy = subject.copy();
    NodeInfo node = state.nodes().get(String.valueOf(copy.nodeId()));
    if (node == null) {
      return;
    }
    Map<String, Object> current = AllocationJson.node(node, "");
    current.put("weight_ranking", ranking(node));
    answer.put("current_node", current);
    if (laggards.isDrained(state, subject.shard(), copy)) {
      answer.put("searches", "none: it lags behind its primary");
    }
    putFailure(answer);
    List<Verdict> staying = deciders.remaining(subject.shard(), copy, node);
    boolean stays = staying.stream().allMatch(Verdict::yes);
    answer.put("can_remain_on_current_node", stays ? "yes" : "no");
    if (stays) {
      putRebalancing(answer);
      return;
    }
    answer.put(
        "can_remain_decisions",
        staying.stream().filter(v -> !v.yes()).map(AllocationJson::verdict).toList());
    Answer best = best();
    answer.put("can_move_to_other_node", word(best));
    answer.put(
        "move_explanation",
        best == Answer.NO
            ? "cannot move shard to another node, even though it is not allowed to remain on its"
                + " current node"
            : "shard cannot remain on this node and is force-moved to another node");
  }

  /** Adds the failure of an assigned copy that cannot open, or cannot continue, on its node. */
  private void putFailure(Map<String, Object> answer) {
    CopyProgress reported = failing;
    if (reported == null) {
      putFormerFailure(answer);
      return;
    }
    answer.put("failure", reported.failure());
    if (!subject.copy().started()) {
      answer.put(
          "unassigned_info",
          object(
              "reason",
              UnassignedTimes.FAILED,
              "at",
              HumanText.date(reported.timestampMillis()),
              "details",
              reported.failure(),
              "last_allocation_status",
              "no"));
    }
  }

  /** Adds why a copy that is being opened failed before, if it did. */
  private void putFormerFailure(Map<String, Object> answer) {
    CopyRouting copy = subject.copy();
    String details = UnassignedTimes.details(copy);
    if (!copy.started() && !details.isEmpty()) {
      answer.put(
          "unassigned_info",
          object(
              "reason",
              UnassignedTimes.formerReason(copy),
              "details",
              details,
              "last_allocation_status",
              "no"));
    }
  }

  private void putRebalancing(Map<String, Object> answer) {
    Optional<Verdict> obstacle = Reconciler.rebalancingObstacle(state);
    answer.put("can_rebalance_cluster", obstacle.isPresent() ? "no" : "yes");
    obstacle.ifPresent(verdict ->
        answer.put("can_rebalance_cluster_decisions", List.of(AllocationJson.verdict(verdict))));
    boolean goes =
        Reconciler.nextRebalancing(state, deciders)
            .filter(subject.copy().copyId()::equals)
            .isPresent();
    answer.put("can_rebalance_to_other_node", goes ? "yes" : "no");
    answer.put(
        "rebalance_explanation",
        obstacle.isPresent()
            ? "rebalancing is not allowed"
            : goes
                ? "can rebalance shard"
                : "cannot rebalance as no target node exists that can both allocate this shard and"
                    + " improve the cluster balance");
  }

  /** Returns the best decision among the nodes other than the copy's own. */
  private Answer best() {
    return state.nodes().values().stream()
        .filter(node -> NodeFilter.holdsCopies(node) && !subject.copy().isOn(node.nodeId()))
        .map(node -> worst(deciders.verdicts(subject.shard(), subject.copy(), node)))
        .min(Comparator.naturalOrder())
        .orElse(Answer.NO);
  }

  private static Answer worst(List<Verdict> verdicts) {
    return verdicts.stream().map(Verdict::answer).max(Comparator.naturalOrder()).orElse(Answer.YES);
  }

  private static String word(Answer answer) {
    return switch (answer) {
      case YES -> "yes";
      case THROTTLE -> "throttled";
      case NO -> "no";
    };
  }

  private void putUnassigned(Map<String, Object> answer) {
    CopyRouting copy = subject.copy();
    boolean delayed = copy.nodeId() != null;
    Answer best = best();
    Map<String, Object> info =
        object(
            "reason",
            UnassignedTimes.reason(copy),
            "at",
            HumanText.date(times.since(copy.copyId()).orElse(subject.index().createdMillis())));
    String details = UnassignedTimes.details(copy);
    if (!details.isEmpty()) {
      info.put("details", details);
    }
    info.put("last_allocation_status", delayed ? "delayed_allocation" : "no_attempt");
    answer.put("unassigned_info", info);
    answer.put("can_allocate", delayed ? "allocation_delayed" : word(best));
    if (delayed) {
      putDelay(answer);
      return;
    }
    answer.put(
        "allocate_explanation",
        switch (best) {
          case YES -> "can allocate the shard";
          case THROTTLE -> "allocation temporarily throttled";
          case NO -> "cannot allocate because allocation is not permitted to any of the nodes";
        });
  }

  private void putDelay(Map<String, Object> answer) {
    OptionalLong awaited =
        NodeReturn.awaitedMillis(state, subject.index(), subject.shard(), subject.copy());
    answer.put(
        "allocate_explanation",
        awaited.isPresent()
            ? "the node that holds the copy left a short while ago; its return is awaited"
            : "the return of the node that holds the copy is awaited without limit: its folder may"
                + " be the only one with operations that the log no longer has");
    awaited.ifPresent(millis -> answer.put("configured_delay_in_millis", millis));
  }

  private List<Map<String, Object>> decisions(boolean yesToo) {
    List<Map<String, Object>> decisions = new ArrayList<>();
    for (NodeInfo node : state.nodes().values()) {
      if (!NodeFilter.holdsCopies(node) || subject.copy().isOn(node.nodeId())) {
        continue;
      }
      List<Verdict> verdicts = deciders.verdicts(subject.shard(), subject.copy(), node);
      Map<String, Object> shown = AllocationJson.node(node, "node_");
      shown.put("node_decision", word(worst(verdicts)));
      shown.put("weight_ranking", ranking(node));
      shown.put(
          "deciders",
          verdicts.stream()
              .filter(verdict -> yesToo || !verdict.yes())
              .map(AllocationJson::verdict)
              .toList());
      decisions.add(shown);
    }
    refused.stream()
        .filter(r -> NodeFilter.holdsCopies(r.node()))
        .forEach(node -> decisions.add(decision(node)));
    return decisions;
  }

  /** Returns the decision for a node that sends heartbeats but is not a member. */
  private static Map<String, Object> decision(Membership.Refused refused) {
    Map<String, Object> shown = AllocationJson.node(refused.node(), "node_");
    shown.put("node_decision", word(Answer.NO));
    shown.put(
        "deciders",
        List.of(
            AllocationJson.verdict(
                new Verdict(
                    "feature_level", false, "the node is not admitted: " + refused.reason()))));
    return shown;
  }

  /**
   * Returns the rank of a node. Rank 1 has the node with the fewest copies, which is chosen first.
   */
  private long ranking(NodeInfo node) {
    long own = copiesOn(node);
    return 1
        + state.nodes().values().stream()
            .filter(NodeFilter::holdsCopies)
            .filter(other -> copiesOn(other) < own)
            .count();
  }

  private long copiesOn(NodeInfo node) {
    return state.indices().values().stream()
        .flatMap(index -> index.shards().stream())
        .flatMap(shard -> shard.copies().stream())
        .filter(copy -> copy.isOn(node.nodeId()))
        .count();
  }
}
