package io.varve.shard.primary;

import io.varve.cluster.Failback;
import io.varve.cluster.FormerLog;
import io.varve.cluster.IndexMetadata;
import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.engine.EngineConfig;
import io.varve.engine.ShardEngine;
import io.varve.events.Operation;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.host.CopyContext;
import io.varve.host.IndexMapping;
import io.varve.host.apply.ApplyLanes;
import io.varve.host.apply.Origins;
import io.varve.log.Appends;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import io.varve.rpc.ForkPlace;
import io.varve.shard.primary.FailbackSchedule.Step;
import io.varve.shard.retention.PinnedCommits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fills the folder of an index that replaces a former leader index ({@link Failback}) with that
 * index's operations up to the fork, so that only later operations cross the network.
 *
 * <ol>
 *   <li>Fence the former index's log, whose index is closed, with the next term.
 *   <li>Copy the operations between fork and fence to the quarantine topic.
 *   <li>Apply the operations up to the fork, and commit them as the content before the first record
 *       of this shard's log. The origin of the commit is the promoted index's fence: the puller
 *       continues after it.
 * </ol>
 *
 * If the former log lacks its first operations, the third step begins with a commit that the former
 * primary pinned for its follower ({@link PinnedCommits}), if this node has one.
 *
 * <p>{@link FailbackSchedule} decides the steps. Each may be repeated after a failure. The commit
 * is the last one, so a folder that has it needs none of them.
 */
final class FailbackBeginning {

  private static final Logger LOG = LoggerFactory.getLogger(FailbackBeginning.class);

  private final CopyContext context;
  private final Path folder;
  private final long term;
  private final Failback failback;
  private final ForkPlace fork;

  /**
   * @param term of this primary, under which the operations are applied
   */
  FailbackBeginning(CopyContext context, Path folder, long term, Failback failback)
      throws IOException {
    this.context = context;
    this.folder = folder;
    this.term = term;
    this.failback = failback;
    ForkPlace place = failback.forks().get(context.shard().number());
    if (place == null) {
      throw new IOException("the fork of " + context.shard() + " is not known");
    }
    this.fork = place;
  }

  /**
   * Returns whether the folder was filled; false if the former log lacks operations before the
   * fork, so that the promoted index's segments are needed.
   *
   * @throws IOException if operations of the former index would be lost
   */
  boolean fill() throws IOException, LogException, InterruptedException {
    int number = context.shard().number();
    PartitionLog former =
        context
            .node()
            .log()
            .open(context.node().topics().operations(failback.formerUuid()), number);
    FailbackSchedule schedule = new FailbackSchedule();
    Quarantine.Fenced fenced = null;
    Step step = schedule.begin();
    while (true) {
      switch (step) {
        case Step.AppendFence _ -> {
          fenced = fence(former);
          step = schedule.fenced();
        }
        case Step.CheckLog _ -> step = schedule.checked(FormerLog.check(former, fork));
        case Step.Quarantine(boolean hasFork) -> {
          quarantine(former, Objects.requireNonNull(fenced), hasFork);
          step = schedule.quarantined();
        }
        case Step.Replay _ -> {
          replay(former, folder);
          step = schedule.replayed();
        }
        case Step.ContinuePinned _ -> step = schedule.continued(continuePinned(former));
        case Step.Begin _ -> {
          return true;
        }
        case Step.CopySegments(String reason) -> {
          LOG.warn(
              "{} can't replay the log of the former leader index {}: {}",
              context.shard(),
              failback.formerUuid(),
              reason);
          return false;
        }
        case Step.Refuse(String reason) ->
            throw new IOException(
                "the former leader's log is not the one that its follower pulled: " + reason);
      }
    }
  }

  /** After the returned fence, no operation of the former index is accepted. */
  private Quarantine.Fenced fence(PartitionLog former)
      throws IOException, LogException, InterruptedException {
    IndexMetadata index =
        context
            .node()
            .cluster()
            .current()
            .index(failback.formerUuid())
            .filter(IndexMetadata::closed)
            .orElseThrow(() ->
                new IOException(
                    "the former leader index " + failback.formerUuid() + " is open or deleted"));
    long nextTerm = index.shard(context.shard().number()).primaryTerm() + 1;
    RawRecord fence = RecordHeader.fence(nextTerm, context.node().identity().nodeId());
    return new Quarantine.Fenced(Appends.await(former, fence), nextTerm);
  }

  private void quarantine(PartitionLog former, Quarantine.Fenced fenced, boolean hasFork)
      throws IOException, LogException, InterruptedException {
    String topic = context.node().topics().quarantine(failback.formerUuid());
    PartitionLog quarantine = context.node().log().open(topic, context.shard().number());
    long copied = new Quarantine(former, quarantine).fill(fork, fenced, hasFork);
    if (copied > 0) {
      LOG.warn(
          "{} copied {} operations after seq_no {}, where its follower was promoted, to {}",
          context.shard(),
          copied,
          fork.seqNo(),
          topic);
    }
  }

  /**
   * Continues from the newest commit that the former primary has pinned on this node and that is
   * not past the fork; returns whether there is one. The folder gets its content in one step, so
   * that a primary that fails before this step starts again.
   */
  private boolean continuePinned(PartitionLog former)
      throws IOException, LogException, InterruptedException {
    Path shards = context.folder().getParent().getParent();
    Path own = shards.resolve(failback.formerUuid()).resolve("" + context.shard().number());
    PinnedCommits pinned = PinnedCommits.in(own);
    Optional<Path> pin =
        pinned.pins().newest(fork.leaderOffset() + 1, fork.seqNo()).map(pinned::folderOf);
    if (pin.isEmpty() || !continues(former, ClosedSegments.checkpoint(pin.get()))) {
      return false;
    }
    Path building = folder.resolveSibling("failback");
    PinnedCommits.delete(building);
    var _ = ClosedSegments.linkLastCommit(pin.get(), building);
    replay(former, building);
    PinnedCommits.delete(folder);
    Files.move(building, folder, StandardCopyOption.ATOMIC_MOVE);
    LOG.info("{} continued from the commit in {}", context.shard(), pin.get());
    return true;
  }

  private static boolean continues(PartitionLog former, Checkpoint pinned) throws LogException {
    return switch (LogContinuity.check(
        former,
        new LogPosition(
            pinned.nextOffset(),
            pinned.nextSeqNo(),
            pinned.fenceTerm(),
            pinned.lastRecordMillis()))) {
      case LogContinuity.Outcome.Continues _, LogContinuity.Outcome.Unverifiable _ -> true;
      case LogContinuity.Outcome.Truncated _, LogContinuity.Outcome.Lost _ -> false;
    };
  }

  private void replay(PartitionLog former, Path target)
      throws IOException, LogException, InterruptedException {
    ApplyLanes lanes =
        new ApplyLanes(
            Runtime.getRuntime().availableProcessors(), context.node().applying().threads());
    EngineConfig config =
        new EngineConfig(context.shard(), target, term, context.index().settings());
    try (ShardEngine engine = ShardEngine.open(config, new IndexMapping(context))) {
      Checkpoint from = engine.committed();
      long nextSeqNo = from.nextSeqNo();
      if (fork.leaderOffset() >= from.nextOffset()) {
        ReplayToFence replay = new ReplayToFence(context, former, engine, lanes, from, this::own);
        var last = replay.replayTo(fork.leaderOffset());
        nextSeqNo = replay.result(last).fence().nextSeqNo();
      }
      if (nextSeqNo != fork.seqNo() + 1) {
        throw new IOException(
            "the former log has seq_no " + (nextSeqNo - 1) + " at the fork, not " + fork.seqNo());
      }
      engine.commit(
          new Checkpoint(0, fork.seqNo() + 1, 0, fork.seqNo()), Origins.commitDataOf(fork));
    }
    LOG.info(
        "{} has the former leader's operations up to seq_no {}", context.shard(), fork.seqNo());
  }

  /** The mapping already has the fields, because the promoted index applied the operation. */
  private Operation own(Operation operation) {
    return new Operation(
        term,
        operation.seqNo(),
        operation.version(),
        context.index().mappingVersion(),
        operation.id(),
        operation.routing(),
        operation.source(),
        null);
  }
}
