package io.varve.shard.primary;

import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.engine.EngineConfig;
import io.varve.engine.MergeWatch;
import io.varve.engine.ShardEngine;
import io.varve.host.CopyContext;
import io.varve.host.IndexMapping;
import io.varve.host.PeerRecovery;
import io.varve.host.RecoveryFiles;
import io.varve.host.RecoveryProgress;
import io.varve.host.apply.ApplyLanes;
import io.varve.host.log.OpenedLog;
import io.varve.log.FencedWriter;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recovers a primary from the content of its folder up to the fence of its term.
 *
 * <pre>
 *   verify   the log still holds the operations that this folder and the shard's manifests name
 *   open     the folder's last commit, or the segment store's newest manifest if that is nearer to
 *            the log's end, or another copy's files if the log begins after the commit
 *   replay   the operations accepted since, while an earlier primary may still be writing;
 *            then append the fence, and apply the operations before it
 * </pre>
 *
 * The fence is appended late to keep the pause of writes short. After it everything that was ever
 * accepted is known here.
 *
 * <p>The engine stays available even if a later step fails: the owner closes it.
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
  private final PrimaryStore store;
  private final PeerRecovery peers;
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
    this.store = store;
    this.peers = peers;
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

  ShardEngine open() throws Exception {
    progress.enter(RecoveryProgress.Stage.INDEX);
    OpenedLog.requireForPrimary(context);
    Path folder = context.folder().resolve("index");
    boolean restored = prepare(folder);
    ShardEngine opened =
        ShardEngine.open(
            new EngineConfig(context.shard(), folder, term, context.index().settings()),
            new IndexMapping(context),
            merges);
    engine = opened;
    if (!restored && !opened.committedData().isEmpty()) {
      progress.type(RecoveryProgress.Type.EXISTING_STORE);
      progress.fromFolder(RecoveryFiles.committed(opened.segments()));
    }
    return opened;
  }

  /**
   * Fills the folder, if it lacks operations that the log no longer has: from the segment store,
   * and from another copy if there is none or it has lost what it held. Returns whether it did.
   */
  private boolean prepare(Path folder) throws Exception {
    boolean restored;
    try {
      restored = store.prepare(term, log, folder, progress);
    } catch (IOException e) {
      LOG.warn("{} can't be restored from the segment store", context.shard(), e);
      copyFromPeer(folder, e);
      return true;
    }
    if (restored || ClosedSegments.checkpoint(folder).nextOffset() >= log.startOffset()) {
      return restored;
    }
    peers.run(context, folder, progress);
    return true;
  }

  private void copyFromPeer(Path folder, IOException storeFailure) throws Exception {
    try {
      peers.run(context, folder, progress);
    } catch (IOException e) {
      e.addSuppressed(storeFailure);
      throw e;
    }
  }

  /**
   * Carries out a {@link RecoverySchedule}.
   *
   * @param closed is called when the writer may append no more
   */
  Reached replay(ShardEngine opened, FencedWriter.ClosedListener closed) throws Exception {
    progress.enter(RecoveryProgress.Stage.TRANSLOG);
    Checkpoint committed = opened.committed();
    LogContinuity.require(log, OpenedLog.position(committed));
    RecoverySchedule schedule = new RecoverySchedule(committed.nextOffset());
    ReplayToFence replay = new ReplayToFence(context, log, opened, lanes, committed);
    catchUp(schedule, replay);
    FencedWriter fenced =
        new FencedWriter(
            log, term, context.node().identity().nodeId(), context.node().blocking(), closed);
    writer = fenced;
    long began = System.nanoTime();
    FencedWriter.Outcome.Accepted fence = appendFence(fenced);
    ReplayToFence.Result replayed = replayTo(fence.offset(), schedule, replay);
    LOG.info(
        "{} replayed {} operations up to the fence of term {} at offset {}, {}: {} ms after it was"
            + " appended",
        context.shard(),
        replayed.operations(),
        term,
        fence.offset(),
        replayed.ownFence(),
        (System.nanoTime() - began) / 1_000_000);
    progress.replayed(replayed.operations());
    progress.enter(RecoveryProgress.Stage.FINALIZE);
    return new Reached(opened, fenced, replayed, fence);
  }

  /** Returns when the fence is to be appended. */
  private void catchUp(RecoverySchedule schedule, ReplayToFence replay)
      throws LogException, InterruptedException {
    RecoverySchedule.Step step = schedule.logEndsAt(log.endOffset());
    while (step instanceof RecoverySchedule.Step.CatchUp(long lastOffset)) {
      var _ = replay.replayTo(lastOffset);
      step = schedule.logEndsAt(log.endOffset());
    }
    requireHeld(step);
  }

  private ReplayToFence.Result replayTo(
      long fenceOffset, RecoverySchedule schedule, ReplayToFence replay)
      throws LogException, InterruptedException {
    requireHeld(schedule.fenced(fenceOffset));
    ReplayToFence.Result result = replay.result(replay.replayTo(fenceOffset));
    var _ = schedule.replayed();
    return result;
  }

  private void requireHeld(RecoverySchedule.Step step) throws LogException.Lost {
    if (step instanceof RecoverySchedule.Step.LogWentBack(long nextOffset, long endOffset)) {
      throw new LogException.Lost(
          log, "it was read up to offset " + nextOffset + " and now ends at " + endOffset);
    }
  }

  private FencedWriter.Outcome.Accepted appendFence(FencedWriter fenced) throws Exception {
    CompletableFuture<FencedWriter.Outcome> outcome = new CompletableFuture<>();
    fenced.appendFence(outcome::complete);
    return switch (outcome.get(FENCE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
      case FencedWriter.Outcome.Accepted accepted -> accepted;
      case FencedWriter.Outcome.Unknown(var reason) ->
          throw new LogException.Unavailable("the fence of term " + term + ": " + reason);
      case FencedWriter.Outcome.Rejected(var reason) ->
          throw new LogException.Unavailable("the fence of term " + term + ": " + reason);
    };
  }
}
