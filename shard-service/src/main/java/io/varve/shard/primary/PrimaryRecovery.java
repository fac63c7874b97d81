package io.varve.shard.primary;

import io.varve.cluster.IndexSettings;
import io.varve.engine.Checkpoint;
import io.varve.engine.EngineConfig;
import io.varve.engine.MergeWatch;
import io.varve.engine.ShardEngine;
import io.varve.host.CopyContext;
import io.varve.host.IndexMapping;
import io.varve.host.OpenedLog;
import io.varve.host.PeerRecovery;
import io.varve.host.RecoveryFiles;
import io.varve.host.RecoveryProgress;
import io.varve.host.apply.ApplyLanes;
import io.varve.log.FencedWriter;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.shard.primary.RecoverySchedule.LogStep;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers a primary from its data folder up to the fence of its term, in the order of a {@link
 * RecoverySchedule}. {@link FolderRecovery} executes the steps until the folder can be opened, and
 * this class the other steps.
 *
 * <p>The engine stays open if a later step fails; the owner closes it.
 */
final class PrimaryRecovery {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryRecovery.class);
  static final Duration FENCE_TIMEOUT = Duration.ofSeconds(30);

  /** The result of a recovery. */
  record Reached(
      ShardEngine engine,
      FencedWriter writer,
      ReplayToFence.Result replayed,
      FencedWriter.Outcome.Accepted fence) {}

  private final CopyContext context;
  private final long term;
  private final RecoverySchedule schedule;
  private final FolderRecovery folder;
  private final LostFollowerShard lost;
  private final ApplyLanes lanes;
  private final RecoveryProgress progress;
  private final MergeWatch merges;
  private final PartitionLog log;
  private volatile @Nullable ShardEngine engine;
  private volatile @Nullable FencedWriter writer;

  PrimaryRecovery(
      CopyContext context,
      long term,
      PrimaryStore store,
      PeerRecovery peers,
      ApplyLanes lanes,
      RecoveryProgress progress,
      MergeWatch merges) {
    this.merges = merges;
    this.context = context;
    this.term = term;
    this.schedule =
        new RecoverySchedule(store.isUsed(), IndexSettings.isStrong(context.settings()));
    this.folder = new FolderRecovery(context, store, peers, progress);
    this.lost = new LostFollowerShard(context);
    this.lanes = lanes;
    this.progress = progress;
    this.log = context.operations();
  }

  /** The engine, {@code null} before it is open. */
  @Nullable ShardEngine engine() {
    return engine;
  }

  /** The writer, {@code null} before {@link #replay}. */
  @Nullable FencedWriter writer() {
    return writer;
  }

  /**
   * @param begun whether the folder was filled with the leader's segments
   */
  ShardEngine open(boolean begun) throws Exception {
    progress.enter(RecoveryProgress.Stage.INDEX);
    boolean filled = runFolder() || begun;
    ShardEngine opened =
        ShardEngine.open(
            new EngineConfig(context.shard(), folder.path(), term, context.index().settings()),
            new IndexMapping(context),
            merges);
    engine = opened;
    if (!filled && !opened.committedData().isEmpty()) {
      progress.type(RecoveryProgress.Type.EXISTING_STORE);
      progress.fromFolder(RecoveryFiles.committed(opened.segments()));
    }
    return opened;
  }

  private boolean runFolder() throws IOException, LogException, InterruptedException {
    try {
      return folder.run(schedule, term);
    } catch (IOException e) {
      throw lost.explained(e, folder.compared());
    }
  }

  /**
   * Replays the log into the engine that {@link #open} returned.
   *
   * @param closed is called when the writer accepts no more appends
   */
  Reached replay(ShardEngine opened, FencedWriter.ClosedListener closed) throws Exception {
    progress.enter(RecoveryProgress.Stage.TRANSLOG);
    Checkpoint committed = opened.committed();
    ReplayToFence replay = new ReplayToFence(context, log, opened, lanes, committed);
    Fence fence = null;
    ReplayToFence.Result replayed = null;
    LogStep step = schedule.opened(committed.nextOffset());
    while (true) {
      switch (step) {
        case LogStep.VerifyApplied _ -> {
          LogContinuity.require(log, OpenedLog.position(committed));
          step = schedule.logEndsAt(log.endOffset());
        }
        case LogStep.CatchUp(long lastOffset) -> {
          var _ = replay.replayTo(lastOffset);
          step = schedule.logEndsAt(log.endOffset());
        }
        case LogStep.VerifyHeldByOthers _ -> {
          schedule.othersHold(new HeldByOthers(context).verify());
          step = schedule.logEndsAt(log.endOffset());
        }
        case LogStep.AppendFence _ -> {
          fence = appendFence(closed);
          step = schedule.fenced(fence.accepted().offset());
        }
        case LogStep.ReplayToFence(long fenceOffset) -> {
          replayed = replay.result(replay.replayTo(fenceOffset));
          step = schedule.replayed(replayed.fence().nextSeqNo());
        }
        case LogStep.OpenGate _ -> {
          return reached(opened, Objects.requireNonNull(replayed), Objects.requireNonNull(fence));
        }
        case LogStep.LogWentBack(long nextOffset, long endOffset) ->
            throw new LogException.Lost(
                log, "it was read up to offset " + nextOffset + " and now ends at " + endOffset);
        case LogStep.LogLacksHeld(long nextSeqNo, long heldSeqNo) ->
            throw new LogException.Lost(
                log,
                "it has all operations before seq_no "
                    + nextSeqNo
                    + ", another copy all before "
                    + heldSeqNo);
      }
    }
  }

  /** The fence of the term in the log, and when its append began. */
  private record Fence(
      FencedWriter writer, FencedWriter.Outcome.Accepted accepted, long appendNanos) {}

  private Fence appendFence(FencedWriter.ClosedListener closed) throws Exception {
    FencedWriter fenced =
        new FencedWriter(
            log, term, context.node().identity().nodeId(), context.node().blocking(), closed);
    writer = fenced;
    long appendNanos = System.nanoTime();
    CompletableFuture<FencedWriter.Outcome> outcome = new CompletableFuture<>();
    fenced.appendFence(outcome::complete);
    return switch (outcome.get(FENCE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
      case FencedWriter.Outcome.Accepted accepted -> new Fence(fenced, accepted, appendNanos);
      case FencedWriter.Outcome.Unknown(var reason) ->
          throw new LogException.Unavailable(
              "can't append the fence of term " + term + ": " + reason);
      case FencedWriter.Outcome.Rejected(var reason) ->
          throw new LogException.Unavailable(
              "can't append the fence of term " + term + ": " + reason);
    };
  }

  private Reached reached(ShardEngine opened, ReplayToFence.Result replayed, Fence fence) {
    LOG.info(
        "{} replayed {} operations up to the fence of term {} at offset {}, {}: {} ms after it was"
            + " appended",
        context.shard(),
        replayed.operations(),
        term,
        fence.accepted().offset(),
        replayed.ownFence(),
        (System.nanoTime() - fence.appendNanos()) / 1_000_000);
    progress.replayed(replayed.operations());
    progress.enter(RecoveryProgress.Stage.FINALIZE);
    return new Reached(opened, fence.writer(), replayed, fence.accepted());
  }
}
