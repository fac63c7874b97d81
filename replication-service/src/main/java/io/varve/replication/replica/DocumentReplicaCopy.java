package io.varve.replication.replica;

import io.varve.engine.ClosedSegments;
import io.varve.engine.EngineConfig;
import io.varve.engine.EngineException;
import io.varve.engine.ReaderWarmer;
import io.varve.engine.SearchableCopy;
import io.varve.engine.ShardEngine;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.host.CopyContext;
import io.varve.host.CopyStatsOf;
import io.varve.host.FailureReasons;
import io.varve.host.IndexMapping;
import io.varve.host.PeerRecovery;
import io.varve.host.RecoveryCourse;
import io.varve.host.RecoveryFiles;
import io.varve.host.ShardCopy;
import io.varve.host.log.OpenedLog;
import io.varve.host.reading.Freshness;
import io.varve.host.reading.LogEnd;
import io.varve.log.LogContinuity;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.log.UnreadableRecordException;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.Reencoded;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy that applies the shard's operations itself.
 *
 * <pre>
 *   STARTING    opens what the last commit holds, or what another copy has if the log begins behind
 *               it; searches see that from here on
 *   REPLAYING   applies the operations up to the end that the log had at the start
 *   STARTED     follows the log
 *   FAILED      the log lacks operations that this copy needs or has applied, or one can't be
 *               applied
 * </pre>
 *
 * <p>A started copy that comes to a record which it can't read stays STARTED: no primary writes
 * behind that record, so all that was acked is before it. It says so in its progress, goes no
 * further, and reads that demand the end of the log fail.
 */
public final class DocumentReplicaCopy implements ShardCopy {

  private static final Logger LOG = LoggerFactory.getLogger(DocumentReplicaCopy.class);

  /** What there is once the engine is open. */
  private record Parts(
      ShardEngine engine,
      DocumentApplier applier,
      DocumentUpkeep upkeep,
      Thread worker,
      LogEnd logEnd) {}

  private final CopyContext context;
  private final PeerRecovery peers;
  private final OffsetWatcher visible = new OffsetWatcher(-1);
  private final CompletableFuture<@Nullable Void> caughtUp = new CompletableFuture<>();
  private final RecoveryCourse recovery;
  private final Freshness freshness;
  private volatile State state = State.EMPTY;
  private volatile ReaderWarmer warmer = ReaderWarmer.NONE;
  private volatile @Nullable ShardEngine engine;
  private volatile @Nullable Parts parts;
  private volatile @Nullable String stalled;

  /** What it has to show before it is reported as started, -1 before that is known. */
  private volatile long owedOffset = -1;

  /** Without other copies to be rebuilt from. */
  public DocumentReplicaCopy(CopyContext context) {
    this(context, PeerRecovery.NONE);
  }

  /** {@code peers} rebuild a folder that the log no longer reaches back to. */
  public DocumentReplicaCopy(CopyContext context, PeerRecovery peers) {
    this.context = context;
    this.peers = peers;
    this.recovery = new RecoveryCourse(context, false);
    this.freshness = new Freshness(() -> logEnd().newest(), visible, this::want, System::nanoTime);
  }

  @Override
  public void warmWith(ReaderWarmer newWarmer) {
    warmer = newWarmer;
  }

  @Override
  public void start() throws Exception {
    enter(State.STARTING);
    recovery.enter(RecoveryCourse.Stage.INDEX);
    PartitionLog log = context.operations();
    Path folder = context.folder().resolve("index");
    boolean rebuilt = ClosedSegments.checkpoint(folder).nextOffset() < log.startOffset();
    if (rebuilt) {
      peers.run(context, folder, recovery);
    }
    ShardEngine opened =
        ShardEngine.open(
            new EngineConfig(context.shard(), folder, 0, context.index().settings()),
            new IndexMapping(context));
    opened.warmWith(warmer);
    engine = opened;
    if (!rebuilt && !opened.committedData().isEmpty()) {
      recovery.type(RecoveryCourse.Type.EXISTING_STORE);
      recovery.fromFolder(RecoveryFiles.committed(opened.segments()));
    }
    LogContinuity.require(log, OpenedLog.position(opened.committed()));
    visible.advanceTo(opened.committed().visibleSeqNo());
    long end = log.endOffset();
    enter(State.REPLAYING);
    recovery.enter(RecoveryCourse.Stage.TRANSLOG);
    Parts made = parts(opened, log);
    parts = made;
    catchUp(made, end);
    CopyStats.Phase applied = opened.stats().counters().writes().index();
    recovery.replayed(applied.total() + opened.stats().counters().writes().delete().total());
    recovery.enter(RecoveryCourse.Stage.FINALIZE);
    made.upkeep().refresh();
    // A truncation that was planned before this copy was placed may pass its last commit.
    made.upkeep().commitReplayed();
    made.worker().start();
    becomeStarted();
  }

  private Parts parts(ShardEngine opened, PartitionLog log) {
    DocumentApplier applier = new DocumentApplier(context, log, opened, this::cantApply);
    DocumentUpkeep upkeep = new DocumentUpkeep(context, opened, applier, visible);
    Thread worker =
        Thread.ofVirtual()
            .name("document-replica-" + context.shard())
            .unstarted(() -> keepUp(upkeep));
    LogEnd logEnd =
        new LogEnd(
            log,
            () -> OpenedLog.position(applier.checkpoint()),
            applier.appliedOffset(),
            context.node().blocking(),
            lost -> fail(new EngineException(String.valueOf(lost.getMessage()), lost)));
    return new Parts(opened, applier, upkeep, worker, logEnd);
  }

  private void catchUp(Parts made, long end) throws Exception {
    var _ =
        made.applier()
            .appliedOffset()
            .reached(end)
            .thenAccept(reached -> {
              if (reached) {
                caughtUp.complete(null);
              }
            });
    try {
      caughtUp.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  /** Unless it failed just now. */
  private synchronized void becomeStarted() {
    if (state == State.FAILED) {
      throw new EngineException(context.shard() + " failed while it started");
    }
    enter(State.STARTED);
    recovery.enter(RecoveryCourse.Stage.DONE);
  }

  @Override
  public boolean showNewest(Duration timeout) throws Exception {
    Parts now = parts;
    if (now == null) {
      return false;
    }
    long owed = owedOffset;
    if (owed < 0) {
      owed = context.operations().endOffset();
      owedOffset = owed;
    }
    return now.applier().appliedOffset().await(owed, timeout)
        && show(now.applier().appliedSeqNo().current(), timeout);
  }

  private void keepUp(DocumentUpkeep upkeep) {
    try {
      upkeep.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // A faulty mmap is an InternalError: nobody else would hear of it.
      LOG.error("{} can't be refreshed or committed", context.shard(), e);
      fail(new EngineException(FailureReasons.of(e), e));
    }
  }

  private void cantApply(RuntimeException failure) {
    if (failure instanceof UnreadableRecordException && state == State.STARTED) {
      LOG.error("{} goes no further: {}", context.shard(), failure.getMessage());
      stalled = failure.getMessage();
      context.host().progressed();
    } else {
      fail(failure);
    }
  }

  private void fail(RuntimeException failure) {
    boolean wasStarted;
    synchronized (this) {
      if (state == State.CLOSED || state == State.FAILED) {
        return;
      }
      wasStarted = state == State.STARTED;
      state = State.FAILED;
    }
    String reason = String.valueOf(failure.getMessage());
    LOG.warn("{} can't go on: {}", context.shard(), reason);
    caughtUp.completeExceptionally(failure);
    if (wasStarted) {
      context.host().broken(reason);
    }
  }

  private void enter(State next) {
    state = next;
    context.host().progressed();
  }

  @Override
  public ShardId shard() {
    return context.shard();
  }

  @Override
  public String copyId() {
    return context.copyId();
  }

  @Override
  public boolean primary() {
    return false;
  }

  @Override
  public State state() {
    return state;
  }

  @Override
  public long term() {
    Parts now = parts;
    return now == null ? 0 : now.applier().newestTerm();
  }

  @Override
  public Optional<SearchableCopy> searchable() {
    return state == State.STARTED || state == State.REPLAYING
        ? Optional.ofNullable(engine)
        : Optional.empty();
  }

  /** Once it has caught up: before, its commit may be about to be replaced. */
  @Override
  public long durableOffset() {
    ShardEngine opened = engine;
    return parts == null || opened == null ? -1 : opened.committed().nextOffset();
  }

  @Override
  public OffsetWatcher visible() {
    return visible;
  }

  @Override
  public OffsetWatcher readable() {
    Parts now = parts;
    return now == null ? visible : now.applier().appliedSeqNo();
  }

  @Override
  public LogEnd logEnd() {
    Parts now = parts;
    if (now == null) {
      throw unavailable();
    }
    return now.logEnd();
  }

  @Override
  public Freshness freshness() {
    return freshness;
  }

  @Override
  public void want(long seqNo, CompletableFuture<Boolean> wait) {
    Parts now = parts;
    if (now != null) {
      now.upkeep().want(seqNo, wait);
    }
  }

  @Override
  public void flush() {
    upkeep().settle().join();
  }

  @Override
  public void forceMerge(ForceMergeRequest wish) {
    DocumentUpkeep upkeep = upkeep();
    ShardEngine opened = engine;
    if (opened != null) {
      opened.settings(context.settings());
      opened.forceMerge(wish);
      upkeep.settle().join();
    }
  }

  @Override
  public Reencoded reencode(long bytesPerSecond, BooleanSupplier stop) {
    DocumentUpkeep upkeep = upkeep();
    ShardEngine opened = engine;
    if (opened == null) {
      return Reencoded.NOTHING;
    }
    opened.settings(context.settings());
    Reencoded done = opened.reencode(bytesPerSecond, stop);
    upkeep.settle().join();
    return done;
  }

  private DocumentUpkeep upkeep() {
    Parts now = parts;
    if (now == null || state != State.STARTED) {
      throw unavailable();
    }
    return now.upkeep();
  }

  private ApiException unavailable() {
    return new ApiException(
        503,
        "no_shard_available_action_exception",
        "this copy of " + context.shard() + " is " + state);
  }

  @Override
  public Optional<String> damage() {
    return Optional.ofNullable(engine).flatMap(ShardEngine::damage);
  }

  @Override
  public CopyProgress progress() {
    Parts now = parts;
    ShardEngine opened = engine;
    long nowMillis = context.node().clock().millis();
    long oldest = now == null ? 0 : now.applier().oldestUnshownMillis();
    return new CopyProgress(
        context.copyId(),
        context.shard(),
        context.node().identity().nodeId(),
        false,
        state.name(),
        term(),
        opened == null ? -1 : opened.generation(),
        now == null ? 0 : now.applier().appliedOffset().current(),
        now == null ? -1 : now.applier().appliedSeqNo().current(),
        visible.current(),
        0,
        0,
        oldest == 0 ? 0 : Math.max(0, nowMillis - oldest),
        now == null ? -1 : now.upkeep().lastLagMillis(),
        0,
        0,
        nowMillis,
        stalled);
  }

  @Override
  public CopyStats stats() {
    Parts now = parts;
    if (now == null) {
      throw new IllegalStateException(shard() + " is not open");
    }
    return CopyStatsOf.engine(
        progress(),
        now.engine().stats(),
        context.folder(),
        new CopyStatsOf.Own(
            now.applier().appliedSeqNo().current(),
            now.upkeep().uncommittedOperations(),
            context.mappingVersion(),
            now.upkeep().commits(),
            visible.waiting(),
            List.of(),
            CopyStatsOf.Transfers.NONE));
  }

  @Override
  public CopyRecovery recovery() {
    return recovery.read();
  }

  @Override
  public void close() {
    boolean sound;
    synchronized (this) {
      if (state == State.CLOSED) {
        return;
      }
      sound = state == State.STARTED || state == State.REPLAYING;
      state = State.CLOSED;
    }
    caughtUp.completeExceptionally(new IllegalStateException("the copy is closed"));
    Parts now = parts;
    try {
      if (now != null) {
        endWork(now, sound);
      }
      visible.close();
    } finally {
      ShardEngine opened = engine;
      if (opened != null) {
        opened.close();
      }
    }
  }

  private void endWork(Parts now, boolean sound) {
    try {
      now.applier().close();
    } finally {
      stop(now);
    }
    if (sound) {
      commit(now);
    }
  }

  private static void stop(Parts now) {
    now.upkeep().stop();
    boolean interrupted = Thread.interrupted();
    while (now.worker().isAlive()) {
      try {
        now.worker().join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void commit(Parts now) {
    try {
      now.upkeep().commit();
    } catch (RuntimeException e) {
      LOG.warn("{} could not commit while closing; a restart replays more", shard(), e);
    }
  }
}
