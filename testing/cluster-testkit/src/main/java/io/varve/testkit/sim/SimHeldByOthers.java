package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.shard.primary.LostShard;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * Asks the other copies of a strongly consistent shard what they hold, as production's {@code
 * HeldByOthers} does, again and again until each copy on a member of the cluster has answered and
 * none holds what the log lost.
 */
final class SimHeldByOthers {

  private static final long PAUSE_MICROS = 20_000;

  /** Where a copy ends, and whether the log lacks some of it. */
  private record Held(AppliedPosition position, boolean isLost) {}

  private final World world;
  private final PrimaryActor primary;
  private final LongConsumer verified;
  private final Map<String, Long> nextSeqNos = new HashMap<>();

  /**
   * @param verified receives the seq_no before which one of them holds everything
   */
  SimHeldByOthers(PrimaryActor primary, LongConsumer verified) {
    this.world = primary.world;
    this.primary = primary;
    this.verified = verified;
  }

  void ask() {
    if (!isMember()) {
      primary.after(PAUSE_MICROS, this::ask);
      return;
    }
    List<CopyRouting> left = left();
    if (left.isEmpty()) {
      verified.accept(nextSeqNos.values().stream().mapToLong(Long::longValue).max().orElse(0));
      return;
    }
    for (CopyRouting copy : left) {
      SimNode node = world.node(String.valueOf(copy.nodeId()));
      world
          .network()
          .<Held>call(
              primary.node.process(),
              node.process(),
              reply -> answer(node, copy.copyId(), reply),
              held -> answered(copy, held),
              () -> {});
    }
    primary.after(PAUSE_MICROS, this::ask);
  }

  /** Production opens no copy before: an older state may lack copies. */
  private boolean isMember() {
    SimProcess process = primary.node.process();
    NodeInfo member = primary.node.state().nodes().get(primary.node.nodeId());
    return member != null && member.incarnation().equals(process.toString());
  }

  private List<CopyRouting> left() {
    ClusterState state = primary.node.state();
    return state.shard(primary.shard).stream()
        .flatMap(shard -> LostShard.others(shard, primary.copyId).stream())
        .filter(copy -> !copy.searchOnly() && !nextSeqNos.containsKey(copy.copyId()))
        .filter(copy -> state.nodes().containsKey(copy.nodeId()))
        .toList();
  }

  private void answered(CopyRouting copy, Held held) {
    if (primary.closed) {
      return;
    }
    if (held.isLost()) {
      world.note(primary + " refuses the log: " + copy.copyId() + " holds more, " + held);
      nextSeqNos.remove(copy.copyId());
    } else {
      nextSeqNos.put(copy.copyId(), held.position().nextSeqNo());
    }
  }

  /** The answer of a node that can read the log. */
  private void answer(SimNode node, String copyId, Consumer<Held> reply) {
    ShardId shard = primary.shard;
    PartitionLog log = world.open(World.ops(shard), node.process(), "h-" + node.process());
    AppliedPosition position = position(node, copyId);
    try {
      boolean givenUp = position.fenceTerm() < LogBeginning.of(log).revivedTerm();
      reply.accept(
          givenUp
              ? new Held(AppliedPosition.START, false)
              : new Held(position, LogLossCheck.isAppliedLost(world, log, position)));
    } catch (LogException e) {
      world.note(node.process() + " can't read the log to tell what it holds");
    }
  }

  private AppliedPosition position(SimNode node, String copyId) {
    SimCopy open = node.copy(copyId);
    if (open instanceof LoggedCopy copy && copy.saysStarted()) {
      return copy.checkpoint();
    }
    return node.folder(primary.shard)
        .map(disk -> disk.commit)
        .map(SimDisk.Commit::checkpoint)
        .orElse(AppliedPosition.START);
  }
}
