package io.varve.replication.replica;

import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.engine.EngineConfig;
import io.varve.engine.EngineException;
import io.varve.engine.SearchableCopy;
import io.varve.engine.ShardEngine;
import io.varve.events.CopyProgress;
import io.varve.host.AbstractShardCopy;
import io.varve.host.CopyContext;
import io.varve.host.IndexMapping;
import io.varve.host.OpenedLog;
import io.varve.host.PeerRecovery;
import io.varve.host.RecoveryFiles;
import io.varve.host.RecoveryProgress;
import io.varve.host.reading.LogEnd;
import io.varve.log.LogBeginning;
import io.varve.log.LogContinuity;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.Reencoded;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * A copy that applies the shard's operations itself.
 *
 * <pre>
 *   STARTING    opens what the last commit holds, or copies another copy's files if the log begins
 *               after that commit
 *   REPLAYING   applies the operations up to the end that the log had at the start
 *   STARTED     follows the log; answers reads once it shows what other copies show
 *   FAILED      the log lacks operations that this copy needs or has applied, or that the newest
 *               manifest shows, or an operation can't be applied
 * </pre>
 *
 * <p>{@link DocumentReplicaLife} defines the transitions between these states.
 *
 * <p>A started copy that encounters an unreadable record stays STARTED: no primary writes after
 * that record, so all acked operations are before it. The copy reports the reason in its progress
 * and applies nothing more; reads that require the end of the log fail.
 */
public final class DocumentReplicaCopy extends AbstractShardCopy<DocumentReplicaLife> {

  private final CopyContext context;
  private final PeerRecovery peers;
  private final DocumentReplicaStats stats;
  private final DocumentReplicaWorker worker;

  /**
   * The end of the log that must be shown before the copy is reported as started. It is -1 until it
   * is known, and after each report: while the node was absent from the cluster, no request waited
   * for this copy.
   */
  private volatile long requiredOffset = -1;

  /** Whether the copy has shown, since it was opened, everything that other copies had shown. */
  private volatile boolean proven;

  /** A copy that cannot be rebuilt from other copies. */
  public DocumentReplicaCopy(CopyContext context) {
    this(context, PeerRecovery.NONE);
  }

  /**
   * @param peers rebuilds the folder if the log begins after its last commit
   */
  public DocumentReplicaCopy(CopyContext context, PeerRecovery peers) {
    super(context, false, new DocumentReplicaLife());
    this.context = context;
    this.peers = peers;
    this.stats = new DocumentReplicaStats(context, visible());
    this.worker = new DocumentReplicaWorker(context, life(), visible());
  }

  @Override
  public void start() throws Exception {
    life().starting();
    progressed();
    recoveryProgress().enter(RecoveryProgress.Stage.INDEX);
    PartitionLog log = context.operations();
    ShardEngine opened = open(log);
    long end = log.endOffset();
    DocumentReplicaParts made = worker.parts(opened, log);
    life().replaying(made);
    progressed();
    recoveryProgress().enter(RecoveryProgress.Stage.TRANSLOG);
    worker.awaitApplied(made, end);
    CopyStats.Phase applied = opened.stats().counters().writes().index();
    recoveryProgress()
        .replayed(applied.total() + opened.stats().counters().writes().delete().total());
    recoveryProgress().enter(RecoveryProgress.Stage.FINALIZE);
    made.upkeep().refresh();
    // A truncation that was planned before this copy was allocated may pass its last commit.
    made.upkeep().commitReplayed();
    made.worker().start();
    becomeStarted();
  }

  private ShardEngine open(PartitionLog log) throws Exception {
    OpenedLog.requireShown(context);
    Path folder = context.folder().resolve("index");
    if (ClosedSegments.checkpoint(folder).equals(Checkpoint.NONE)) {
      FollowersFirstManifest.await(context);
    }
    boolean rebuilt =
        LogBeginning.of(log).isBehind(OpenedLog.position(ClosedSegments.checkpoint(folder)));
    if (rebuilt) {
      peers.run(context, folder, recoveryProgress());
    }
    ShardEngine opened =
        ShardEngine.open(
            new EngineConfig(context.shard(), folder, 0, context.index().settings()),
            new IndexMapping(context));
    life().opened(opened);
    opened.warmWith(warmer());
    if (!rebuilt && !opened.committedData().isEmpty()) {
      recoveryProgress().type(RecoveryProgress.Type.EXISTING_STORE);
      recoveryProgress().fromFolder(RecoveryFiles.committed(opened.segments()));
    }
    LogContinuity.require(log, OpenedLog.position(opened.committed()));
    visible().advanceTo(opened.committed().visibleSeqNo());
    return opened;
  }

  private void becomeStarted() {
    if (!life().started()) {
      throw new EngineException(context.shard() + " failed while it started");
    }
    progressed();
    recoveryProgress().enter(RecoveryProgress.Stage.DONE);
  }

  @Override
  public boolean showNewest(Duration timeout) throws Exception {
    DocumentReplicaParts now = parts().orElse(null);
    if (now == null) {
      return false;
    }
    long required = requiredOffset;
    if (required < 0) {
      required = context.operations().endOffset();
      requiredOffset = required;
    }
    boolean shown =
        now.applier().appliedOffset().await(required, timeout)
            && show(now.applier().appliedSeqNo().current(), timeout);
    if (shown) {
      requiredOffset = -1;
      proven = true;
    }
    return shown;
  }

  @Override
  public boolean serves() {
    return proven && super.serves();
  }

  private Optional<DocumentReplicaParts> parts() {
    return life().now().parts();
  }

  /** The parts of a copy that is started; 503 in any other state. */
  private DocumentReplicaParts started() {
    DocumentReplicaLife.Phase now = life().now();
    return now.parts().filter(_ -> now.state() == State.STARTED).orElseThrow(this::unavailable);
  }

  private ApiException unavailable() {
    return new ApiException(
        503,
        "no_shard_available_action_exception",
        "this copy of " + context.shard() + " is " + state());
  }

  @Override
  public long term() {
    return parts().map(now -> now.applier().newestTerm()).orElse(0L);
  }

  @Override
  public Optional<SearchableCopy> searchable() {
    return life().now() instanceof DocumentReplicaLife.Working phase
        ? Optional.of(phase.working().engine())
        : Optional.empty();
  }

  /** Unknown until the log is known to continue the engine's commit. */
  @Override
  public long durableOffset() {
    return parts().map(now -> now.engine().committed().nextOffset()).orElse(-1L);
  }

  @Override
  public OffsetWatcher readable() {
    return parts().map(now -> now.applier().appliedSeqNo()).orElse(visible());
  }

  @Override
  public LogEnd logEnd() {
    return parts().orElseThrow(this::unavailable).logEnd();
  }

  @Override
  public void want(long seqNo, CompletableFuture<Boolean> wait) {
    parts().ifPresent(now -> now.upkeep().want(seqNo, wait));
  }

  @Override
  public void flush() {
    started().upkeep().settle().join();
  }

  @Override
  public void forceMerge(ForceMergeRequest request) {
    DocumentReplicaParts now = started();
    now.engine().settings(context.settings());
    now.engine().forceMerge(request);
    now.upkeep().settle().join();
  }

  @Override
  public Reencoded reencode(long bytesPerSecond, BooleanSupplier stop) {
    DocumentReplicaParts now = started();
    now.engine().settings(context.settings());
    Reencoded done = now.engine().reencode(bytesPerSecond, stop);
    now.upkeep().settle().join();
    return done;
  }

  @Override
  public Optional<String> damage() {
    return life().now().engine().flatMap(ShardEngine::damage);
  }

  @Override
  public CopyProgress progress() {
    return stats.progress(life().now());
  }

  @Override
  public CopyStats stats() {
    DocumentReplicaLife.Phase now = life().now();
    return stats.stats(
        now, now.parts().orElseThrow(() -> new IllegalStateException(shard() + " is not open")));
  }

  @Override
  public void close() {
    life().closed().ifPresent(this::release);
  }

  private void release(DocumentReplicaLife.Phase before) {
    worker.closed();
    try {
      before.parts().ifPresent(DocumentReplicaParts::stop);
      if (before instanceof DocumentReplicaLife.Working || worker.logLost()) {
        before.parts().ifPresent(worker::commitLast);
      }
      visible().close();
    } finally {
      before.engine().ifPresent(ShardEngine::close);
    }
  }
}
