package io.varve.cluster;

import io.varve.cluster.AllocationDeciders.Verdict;
import io.varve.cluster.CopyRouting.State;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Carries out steps of allocation that somebody wants: a pure function from the state to events.
 * Steps see what those before them did.
 */
public final class Reroute {

  /** What one step comes to; without events it was refused. */
  public record Outcome(RerouteCommand command, List<ClusterEvent> events, List<Verdict> verdicts) {

    public boolean done() {
      return verdicts.stream().allMatch(Verdict::yes);
    }

    /** Why it was refused. */
    public ErrorBody error() {
      Verdict first = verdicts.stream().filter(v -> !v.yes()).findFirst().orElseThrow();
      return ErrorBody.illegalArgument("[" + command.name() + "] " + first.explanation());
    }
  }

  private final Supplier<String> ids;

  /** {@code ids} gives ids for copies, never the same twice. */
  public Reroute(Supplier<String> ids) {
    this.ids = ids;
  }

  /** One outcome for each step; what is refused changes nothing. */
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
      case RerouteCommand.Cancel cancel -> cancel(shard, cancel);
      case RerouteCommand.AllocateReplica wish -> allocate(state, shard, wish);
      case RerouteCommand.AllocatePrimary wish -> allocate(state, shard, wish);
    };
  }

  private Outcome move(ClusterState state, ShardRouting shard, RerouteCommand.Move move) {
    Optional<CopyRouting> copy = on(shard, move.fromNode());
    NodeInfo target = state.nodes().get(move.toNode());
    if (copy.isEmpty()) {
      return refused(move, "no copy of " + called(move) + " is on node [" + move.fromNode() + "]");
    }
    if (target == null) {
      return refused(move, "no such node [" + move.toNode() + "]");
    }
    return decided(state, move, shard, copy.get(), target);
  }

  private Outcome cancel(ShardRouting shard, RerouteCommand.Cancel cancel) {
    Optional<CopyRouting> copy = on(shard, cancel.node());
    if (copy.isEmpty()) {
      return refused(
          cancel, "can't cancel " + called(cancel) + ", it is not on node [" + cancel.node() + "]");
    }
    if (copy.get().primary() && !cancel.allowPrimary()) {
      return refused(
          cancel,
          "can't cancel "
              + called(cancel)
              + " on node ["
              + cancel.node()
              + "], it is the primary and [allow_primary] is false");
    }
    return new Outcome(
        cancel,
        List.of(
            new ClusterEvent.CopyUnassigned(
                shard.shard(), copy.get().copyId(), "REROUTE_CANCELLED")),
        List.of(yes(cancel, "the copy on node [" + cancel.node() + "] gives its place up")));
  }

  private Outcome allocate(
      ClusterState state, ShardRouting shard, RerouteCommand.AllocateReplica wish) {
    Predicate<CopyRouting> waiting = copy -> copy.state() == State.UNASSIGNED;
    Optional<CopyRouting> copy = shard.replicas().stream().filter(waiting).findFirst();
    NodeInfo target = state.nodes().get(wish.node());
    if (target == null) {
      return refused(wish, "no such node [" + wish.node() + "]");
    }
    if (!state.active(shard.primary())) {
      return refused(
          wish, "the primary of " + called(wish) + " is not active: a replica needs one");
    }
    return copy.isEmpty()
        ? refused(wish, "all replicas of " + called(wish) + " are assigned already")
        : decided(state, wish, shard, copy.get(), target);
  }

  private Outcome allocate(
      ClusterState state, ShardRouting shard, RerouteCommand.AllocatePrimary wish) {
    NodeInfo target = state.nodes().get(wish.node());
    if (target == null) {
      return refused(wish, "no such node [" + wish.node() + "]");
    }
    if (shard.primary().state() != State.UNASSIGNED) {
      return refused(wish, "primary " + called(wish) + " is already assigned");
    }
    if (!wish.acceptDataLoss()) {
      return refused(
          wish,
          "allocating a primary for "
              + called(wish)
              + " by hand has to be confirmed: set the [accept_data_loss] parameter to true");
    }
    return decided(state, wish, shard, shard.primary(), target);
  }

  private Outcome decided(
      ClusterState state,
      RerouteCommand command,
      ShardRouting shard,
      CopyRouting copy,
      NodeInfo target) {
    List<Verdict> verdicts = new AllocationDeciders(state, Set.of()).verdicts(shard, copy, target);
    if (!verdicts.stream().allMatch(Verdict::yes)) {
      return new Outcome(command, List.of(), verdicts);
    }
    ClusterEvent event =
        copy.primary()
            ? new ClusterEvent.PrimaryAssigned(
                shard.shard(), ids.get(), target.nodeId(), shard.primaryTerm() + 1)
            : new ClusterEvent.ReplicaAssigned(
                shard.shard(), copy.copyId(), ids.get(), target.nodeId());
    return new Outcome(command, List.of(event), verdicts);
  }

  private static Optional<CopyRouting> on(ShardRouting shard, String node) {
    return shard.copies().stream().filter(copy -> copy.isOn(node)).findFirst();
  }

  private static String called(RerouteCommand command) {
    return "[" + command.index() + "][" + command.shard() + "]";
  }

  private static Verdict yes(RerouteCommand command, String explanation) {
    return new Verdict(command.name() + "_allocation_command", true, explanation);
  }

  private static Outcome refused(RerouteCommand command, String explanation) {
    return new Outcome(
        command,
        List.of(),
        List.of(new Verdict(command.name() + "_allocation_command", false, explanation)));
  }
}
