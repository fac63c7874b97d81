package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.NodeInfo;
import io.varve.events.ShardId;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.FolderPosition;
import io.varve.shard.primary.HeldAnswers;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks the other copies of a strongly consistent shard which operations they hold, repeatedly,
 * until production's {@link HeldAnswers} has no copy left to ask. A copy whose content the log lost
 * is asked again as long as the log lacks it.
 */
final class SimHeldByOthers {

  private static final long PAUSE_MICROS = 20_000;

  private final World world;
  private final PrimaryActor primary;
  private final LongConsumer verified;

  /** Null until the start of the log was read. */
  private @Nullable HeldAnswers answers;

  /**
   * @param verified receives the seq_no before which one of them holds everything
   */
  SimHeldByOthers(PrimaryActor primary, LongConsumer verified) {
    this.world = primary.world;
    this.primary = primary;
    this.verified = verified;
  }

  void ask() {
    HeldAnswers known = isMember() ? answers() : null;
    if (known == null) {
      primary.after(PAUSE_MICROS, this::ask);
      return;
    }
    List<CopyRouting> left = known.unanswered(primary.node.state());
    if (left.isEmpty()) {
      verified.accept(known.nextSeqNo());
      return;
    }
    for (CopyRouting copy : left) {
      SimNode node = world.node(String.valueOf(copy.nodeId()));
      world
          .network()
          .<FolderPosition>call(
              primary.node.process(),
              node.process(),
              reply -> answer(node, copy.copyId(), reply),
              held -> answered(known, copy, held),
              () -> {});
    }
    primary.after(PAUSE_MICROS, this::ask);
  }

  /** Production opens no copy before this, because an older state may lack copies. */
  private boolean isMember() {
    SimProcess process = primary.node.process();
    NodeInfo member = primary.node.state().nodes().get(primary.node.nodeId());
    return member != null && member.incarnation().equals(process.toString());
  }

  private @Nullable HeldAnswers answers() {
    if (answers == null) {
      try {
        answers =
            new HeldAnswers(
                primary.shard, primary.copyId, LogBeginning.of(log(primary.node)).revivedTerm());
      } catch (LogException e) {
        world.note(primary + " can't read the start of its log");
      }
    }
    return answers;
  }

  private void answered(HeldAnswers known, CopyRouting copy, FolderPosition held) {
    if (!primary.closed
        && known.answered(copy, held) instanceof HeldAnswers.Outcome.LostByLog(var reason)) {
      world.note(primary + " refuses the log: " + reason);
    }
  }

  /** The answer of a node that can read the log. */
  private void answer(SimNode node, String copyId, Consumer<FolderPosition> reply) {
    AppliedPosition held = position(node, copyId);
    try {
      boolean isLost = LogLossCheck.isAppliedLost(world, log(node), held);
      reply.accept(
          new FolderPosition(
              held.nextOffset() > 0,
              held.nextSeqNo(),
              held.fenceTerm(),
              !isLost,
              isLost ? "the log lacks " + held : null));
    } catch (LogException e) {
      world.note(node.process() + " can't read the log to tell what it holds");
    }
  }

  private PartitionLog log(SimNode node) {
    ShardId shard = primary.shard;
    return world.open(World.ops(shard), node.process(), "h-" + node.process());
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
