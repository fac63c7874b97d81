package io.varve.control.allocation;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.CopyRouting.State;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.cluster.RerouteCommand;
import io.varve.cluster.ShardRouting;
import io.varve.control.allocation.AllocationDeciders.Answer;
import io.varve.control.allocation.AllocationDeciders.Verdict;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Executes commands of the reroute API: a pure function from the state to events. Each command is
 * applied to the result of those before it.
 */
public final class Reroute {

  /** The outcome of one command; a rejected command has no events. */
  public record Outcome(RerouteCommand command, List<ClusterEvent> events, List<Verdict> verdicts) {

    public boolean done() {
      return verdicts.stream().noneMatch(verdict -> verdict.answer() == Answer.NO);
    }

    private String title() {
      return switch (command) {
        case RerouteCommand.Move _ -> "move_allocation";
        case RerouteCommand.Cancel _ -> "cancel_allocation";
        case RerouteCommand.AllocateReplica _, RerouteCommand.AllocatePrimary _ -> command.name();
      };
    }

    private String notAllowed() {
      return switch (command) {
        case RerouteCommand.Move move ->
            "can't move "
                + move.shard()
                + ", from "
                + move.fromNode()
                + ", to "
                + move.toNode()
                + ", since its not allowed, reason: ";
        default ->
            "allocation of ["
                + command.index()
                + "]["
                + command.shard()
                + "] is not allowed, reason: ";
      };
    }

    /** The reason of the rejection. */
    public ErrorBody error() {
      Verdict first =
          verdicts.stream().filter(v -> v.answer() == Answer.NO).findFirst().orElseThrow();
      return ErrorBody.illegalArgument(
          "["
              + title()
              + "] "
              + (first.decider().startsWith(command.name()) ? "" : notAllowed())
              + first.explanation());
    }
  }

  private final Supplier<String> ids;

  /** {@code ids} supplies unique ids for copies. */
  public Reroute(Supplier<String> ids) {
    this.ids = ids;
  }

  /** One outcome per command; a rejected command changes nothing. */
  public List<Outcome> plan(ClusterState state, List<RerouteCommand> commands) {
    List<Outcome> outcomes = new ArrayList<>();
    ClusterState now = state;
    for (RerouteCommand command : commands) {
      Outcome outcome = plan(now, command);
      outcomes.add(outcome);
      for (ClusterEvent event : outcome.events()) {
        now = now.apply(event);
      }
    }
    return outcomes;
  }

  private Outcome plan(ClusterState state, RerouteCommand command) {
    IndexMetadata index = state.indices().get(command.index());
    if (index == null) {
      return refused(command, "no such index [" + command.index() + "]");
    }
    if (command.shard() < 0 || command.shard() >= index.numberOfShards()) {
      return refused(
          command, "no such shard [" + command.shard() + "] in index [" + command.index() + "]");
    }
    ShardRouting shard = index.shard(command.shard());
    return switch (command) {
      case RerouteCommand.Move move -> move(state, shard, move);
      case RerouteCommand.Cancel cancel -> cancel(state, shard, cancel);
      case RerouteCommand.AllocateReplica request -> allocate(state, shard, request);
      case RerouteCommand.AllocatePrimary request -> allocate(state, shard, request);
    };
  }

  private Outcome move(ClusterState state, ShardRouting shard, RerouteCommand.Move move) {
    Optional<CopyRouting> found = on(shard, move.fromNode());
    NodeInfo target = state.nodes().get(move.toNode());
    if (found.isEmpty()) {
      return refused(
          move,
          "can't move "
              + move.shard()
              + ", failed to find it on node "
              + called(state, move.fromNode()));
    }
    if (target == null || !target.holdsCopies()) {
      return refused(
          move,
          "can't move "
              + called(move)
              + " from "
              + called(state, move.fromNode())
              + " to "
              + called(state, move.toNode())
              + ": target ["
              + (target == null ? move.toNode() : target.name())
              + "] is not a data node.");
    }
    CopyRouting copy = found.get();
    if (shard.relocationOf(copy.copyId()).isPresent() || !state.active(copy)) {
      return refused(
          move,
          "can't move "
              + move.shard()
              + ", shard is not started (state = "
              + (copy.started() ? "RELOCATING" : copy.state())
              + "]");
    }
    ClusterEvent event =
        new ClusterEvent.RelocationStarted(
            shard.shard(), copy.copyId(), ids.get(), target.nodeId());
    return decided(new Candidate(state, shard, copy, target), move, event);
  }

  private Outcome cancel(ClusterState state, ShardRouting shard, RerouteCommand.Cancel cancel) {
    Optional<Relocation> arriving =
        shard.relocations().stream().filter(r -> r.target().isOn(cancel.node())).findFirst();
    if (arriving.isPresent()) {
      return new Outcome(
          cancel,
          List.of(RelocationSteps.cancelled(shard, arriving.get(), "REROUTE_CANCELLED")),
          List.of(
              yes(
                  cancel,
                  "shard "
                      + cancel.shard()
                      + " on node "
                      + called(state, cancel.node())
                      + " can be cancelled")));
    }
    Optional<CopyRouting> copy = on(shard, cancel.node());
    String node = called(state, cancel.node());
    if (copy.isEmpty()) {
      return refused(
          cancel, "can't cancel " + cancel.shard() + ", failed to find it on node " + node);
    }
    if (copy.get().primary() && !cancel.allowPrimary()) {
      return refused(
          cancel,
          "can't cancel "
              + cancel.shard()
              + " on node "
              + node
              + ", shard is primary and "
              + copy.get().state().name().toLowerCase(Locale.ROOT));
    }
    return new Outcome(
        cancel,
        List.of(
            new ClusterEvent.CopyUnassigned(
                shard.shard(), copy.get().copyId(), "REROUTE_CANCELLED")),
        List.of(yes(cancel, "shard " + cancel.shard() + " on node " + node + " can be cancelled")));
  }

  private Outcome allocate(
      ClusterState state, ShardRouting shard, RerouteCommand.AllocateReplica request) {
    Predicate<CopyRouting> waiting = copy -> copy.state() == State.UNASSIGNED;
    Optional<CopyRouting> copy = shard.replicas().stream().filter(waiting).findFirst();
    NodeInfo target = state.nodes().get(request.node());
    if (target == null || !target.holdsCopies()) {
      return refused(request, notForData(state, request.node()));
    }
    if (!state.active(shard.primary())) {
      return refused(
          request,
          "trying to allocate a replica shard "
              + called(request)
              + ", while corresponding primary shard is still unassigned");
    }
    if (copy.isEmpty()) {
      return refused(
          request,
          "all copies of "
              + called(request)
              + " are already assigned. Use the move allocation command instead");
    }
    ClusterEvent event =
        new ClusterEvent.ReplicaAssigned(
            shard.shard(), copy.get().copyId(), ids.get(), target.nodeId());
    return decided(new Candidate(state, shard, copy.get(), target), request, event);
  }

  /**
   * The API may assign a primary to any node with the role primary, since its content is in the
   * log.
   */
  private Outcome allocate(
      ClusterState state, ShardRouting shard, RerouteCommand.AllocatePrimary request) {
    NodeInfo target = state.nodes().get(request.node());
    if (target == null || !target.has(NodeInfo.PRIMARY)) {
      return refused(request, notForData(state, request.node()));
    }
    if (shard.released()) {
      return refused(request, called(request) + " has search-only copies only, and no primary");
    }
    if (shard.primary().state() != State.UNASSIGNED) {
      return refused(request, "primary " + called(request) + " is already assigned");
    }
    if (!request.acceptDataLoss()) {
      return refused(
          request,
          "allocating an empty primary for "
              + called(request)
              + " can result in data loss. Please confirm by setting the accept_data_loss"
              + " parameter to true");
    }
    if (shard.everywhere().stream().anyMatch(copy -> copy.isOn(request.node()))) {
      return refused(
          request, "a copy of " + called(request) + " is already allocated to this node");
    }
    if (request.stale() && shard.primaryTerm() == 0) {
      return refused(
          request,
          "trying to allocate an existing primary shard "
              + called(request)
              + ", while no such shard has ever been active");
    }
    return new Outcome(
        request,
        List.of(
            new ClusterEvent.PrimaryAssigned(
                shard.shard(), ids.get(), target.nodeId(), shard.newestTerm() + 1)),
        List.of(yes(request, "ignore deciders")));
  }

  private Outcome decided(Candidate place, RerouteCommand command, ClusterEvent event) {
    List<Verdict> verdicts =
        new AllocationDeciders(place.state(), Set.of())
            .verdicts(place.shard(), place.copy(), place.node());
    Outcome outcome = new Outcome(command, List.of(event), verdicts);
    return outcome.done() ? outcome : new Outcome(command, List.of(), verdicts);
  }

  private static String notForData(ClusterState state, String nodeId) {
    return "allocation can only be done on data nodes, not [" + called(state, nodeId) + "]";
  }

  /** The name and id of a node, for messages. */
  private static String called(ClusterState state, String nodeId) {
    return state.node(nodeId).map(node -> "{" + node.name() + "}{" + nodeId + "}").orElse(nodeId);
  }

  /** Ends a relocation; its source copy stays. */
  public static ClusterEvent cancelled(ShardRouting shard, Relocation moving, String reason) {
    return RelocationSteps.cancelled(shard, moving, reason);
  }

  private static Optional<CopyRouting> on(ShardRouting shard, String node) {
    return shard.copies().stream().filter(copy -> copy.isOn(node)).findFirst();
  }

  private static String called(RerouteCommand command) {
    return "[" + command.index() + "][" + command.shard() + "]";
  }

  private static Verdict yes(RerouteCommand command, String explanation) {
    return new Verdict(decider(command), true, explanation);
  }

  private static Outcome refused(RerouteCommand command, String explanation) {
    return new Outcome(
        command, List.of(), List.of(new Verdict(decider(command), false, explanation)));
  }

  private static String decider(RerouteCommand command) {
    return switch (command) {
      case RerouteCommand.Move _, RerouteCommand.Cancel _ -> command.name() + "_allocation_command";
      case RerouteCommand.AllocateReplica _, RerouteCommand.AllocatePrimary _ ->
          command.name() + " (allocation command)";
    };
  }
}
