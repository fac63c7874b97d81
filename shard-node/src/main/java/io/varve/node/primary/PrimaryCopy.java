package io.varve.node.primary;

import io.varve.engine.Checkpoint;
import io.varve.engine.EngineConfig;
import io.varve.engine.EngineStats;
import io.varve.engine.SearchableCopy;
import io.varve.engine.ShardEngine;
import io.varve.events.CopyProgress;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.node.CopyContext;
import io.varve.node.CopyStatsOf;
import io.varve.node.IndexMapping;
import io.varve.node.RecoveryCourse;
import io.varve.node.RecoveryFiles;
import io.varve.node.RefreshInterval;
import io.varve.node.ShardCopy;
import io.varve.node.SnapshotSource;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopyStats;
import io.varve.rpc.MergeWish;
import io.varve.rpc.ReplicateWire;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copy that writes, in one term.
 *
 * <pre>
 *   STARTING     opens what the last commit holds, appends the fence of its term
 *   REPLAYING    reads from the commit to its own fence and applies what was accepted
 *   STARTED      the gate is open; the first segments are published
 *   GATE_CLOSED  fenced, or an append's fate is unknown: only a new object, under a higher term,
 *                goes on. Searches are still answered.
 * </pre>
 *
 * <p>INVARIANTS: nothing is applied that was not accepted; a write is answered when it is accepted
 * and applied; what searches see never goes back.
 */
public final class PrimaryCopy implements ShardCopy {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryCopy.class);
  private static final Duration FENCE_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(4);

  /** What there is once the engine is open. */
  private record Parts(
      ShardEngine engine,
      FencedWriter writer,
      AppliedCheckpoint applied,
      Sequencer sequencer,
      PrimaryWrites writes,
      FollowedWrites followed,
      Refresher refresher,
      Committer committer) {}

  private final CopyContext context;
  private final long term;
  private final WritePressure pressure;
  private final PartitionLog log;
  private final ApplyLanes lanes;
  private final PublishedSnapshots snapshots;
  private final OffsetWatcher visible = new OffsetWatcher(-1);
  private final OffsetWatcher appliedSeqNo = new OffsetWatcher(-1);
  private final RecoveryCourse recovery;
  private volatile State state = State.EMPTY;
  private volatile @Nullable ShardEngine engine;
  private volatile @Nullable FencedWriter writer;
  private volatile @Nullable Parts parts;
  private volatile @Nullable ScheduledFuture<?> upkeep;

  public PrimaryCopy(CopyContext context, long term, WritePressure pressure) {
    this.context = context;
    this.term = term;
    this.pressure = pressure;
    this.log = context.operations();
    this.recovery = new RecoveryCourse(context, true);
    this.lanes =
        new ApplyLanes(Runtime.getRuntime().availableProcessors(), context.node().applying());
    this.snapshots =
        new PublishedSnapshots(
            context.node().settings().snapshotLeaseMillis(), context.node().clock());
  }

  @Override
  public void start() throws Exception {
    enter(State.STARTING);
    recovery.enter(RecoveryCourse.Stage.INDEX);
    ShardEngine opened =
        ShardEngine.open(
            new EngineConfig(
                context.shard(),
                context.folder().resolve("index"),
                term,
                context.index().settings()),
            new IndexMapping(context));
    engine = opened;
    noteFolder(opened);
    FencedWriter fenced =
        new FencedWriter(
            log,
            term,
            context.node().identity().nodeId(),
            context.node().blocking(),
            (reason, newerTerm) -> gateClosed(reason));
    writer = fenced;
    long fenceOffset = appendFence(fenced);
    enter(State.REPLAYING);
    recovery.enter(RecoveryCourse.Stage.TRANSLOG);
    ReplayToFence.Result replayed = replay(opened, fenceOffset);
    recovery.replayed(replayed.operations());
    recovery.enter(RecoveryCourse.Stage.FINALIZE);
    open(opened, fenced, replayed, fenceOffset);
  }

  private void noteFolder(ShardEngine opened) {
    if (!opened.committedData().isEmpty()) {
      recovery.type(RecoveryCourse.Type.EXISTING_STORE);
      recovery.fromFolder(RecoveryFiles.committed(opened.segments()));
    }
  }

  private long appendFence(FencedWriter fenced) throws Exception {
    CompletableFuture<FencedWriter.Outcome> outcome = new CompletableFuture<>();
    fenced.appendFence(outcome::complete);
    return switch (outcome.get(FENCE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
      case FencedWriter.Outcome.Accepted accepted -> accepted.offset();
      case FencedWriter.Outcome.Unknown unknown ->
          throw new LogException.Unavailable("the fence of term " + term + ": " + unknown.reason());
    };
  }

  private ReplayToFence.Result replay(ShardEngine opened, long fenceOffset)
      throws LogException, InterruptedException {
    Checkpoint committed = opened.committed();
    long from = Math.max(committed.nextOffset(), log.startOffset());
    if (from > committed.nextOffset()) {
      throw new LogException.OutOfRange(
          "the log begins at " + from + ", the last commit needs " + committed.nextOffset());
    }
    long began = System.nanoTime();
    ReplayToFence.Result replayed =
        new ReplayToFence(context, log, opened, lanes, committed).run(from, fenceOffset);
    LOG.info(
        "{} replayed {} operations from offset {} to {} in {} ms, fence of term {}: {}",
        context.shard(),
        replayed.operations(),
        from,
        fenceOffset,
        (System.nanoTime() - began) / 1_000_000,
        term,
        replayed.ownFence());
    return replayed;
  }

  private void open(
      ShardEngine opened, FencedWriter fenced, ReplayToFence.Result replayed, long fenceOffset)
      throws Exception {
    TermFence fence = replayed.fence();
    AppliedCheckpoint applied = new AppliedCheckpoint(fenceOffset + 1, fence.nextSeqNo());
    appliedSeqNo.advanceTo(fence.nextSeqNo() - 1);
    Parts made = parts(opened, fenced, applied, fence.nextSeqNo());
    made.followed().restore(replayed.origin());
    parts = made;
    if (!fenced.open(fence, replayed.ownFence())) {
      throw new ApiException(Sequencer.stale(fenced.closedReason()));
    }
    made.refresher().refresh().get(FENCE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    enter(State.STARTED);
    recovery.enter(RecoveryCourse.Stage.DONE);
    if (!fenced.isOpen()) {
      gateClosed(fenced.closedReason());
    }
    scheduleUpkeep();
  }

  private Parts parts(
      ShardEngine opened, FencedWriter fenced, AppliedCheckpoint applied, long nextSeqNo) {
    Sequencer sequencer =
        new Sequencer(opened, fenced, log.maxRecordBytes(), nextSeqNo, this::applyInLanes);
    PrimaryWrites writes = new PrimaryWrites(context, opened, sequencer, pressure);
    FollowedWrites followed = new FollowedWrites(context, opened, sequencer, writes, term);
    CommitPoints points = new CommitPoints(applied, term, followed::commitData);
    Refresher refresher = new Refresher(context, term, opened, points, snapshots, visible);
    Committer committer =
        new Committer(
            opened,
            points,
            context.node().settings().commitMillis(),
            context.node().settings().commitBytes(),
            context.node().clock());
    return new Parts(opened, fenced, applied, sequencer, writes, followed, refresher, committer);
  }

  private void applyInLanes(List<Batch.Pending> accepted) {
    lanes.submit(accepted, pending -> pending.operation.id(), this::apply);
  }

  private void apply(Batch.Pending pending) {
    Parts now = parts;
    if (now == null || state == State.CLOSED) {
      pending.ending.unknown("the copy was closed before the operation was applied");
      return;
    }
    Operation operation = pending.operation;
    try {
      now.engine().apply(pending.offset, operation, pending.resolved);
    } catch (RuntimeException e) {
      LOG.error("{} can't apply seq_no {}", context.shard(), operation.seqNo(), e);
      pending.ending.unknown("it is in the log, but could not be applied: " + e.getMessage());
      fail(String.valueOf(e.getMessage()));
      return;
    }
    byte[] source = operation.source();
    now.committer().applied(source == null ? 64 : source.length + 64);
    appliedSeqNo.advanceTo(
        now.applied().applied(operation.seqNo(), pending.offset).nextSeqNo() - 1);
    pending.ending.applied();
  }

  private void scheduleUpkeep() {
    long interval = RefreshInterval.millis(settings());
    long delay = interval < 0 ? 1000 : Math.clamp(interval, 20, 1000);
    upkeep = context.node().timer().schedule(this::upkeep, delay, TimeUnit.MILLISECONDS);
  }

  /** Short and non-blocking: what takes time is handed on. */
  private void upkeep() {
    Parts now = parts;
    if (now == null || (state != State.STARTED && state != State.GATE_CLOSED)) {
      return;
    }
    try {
      long interval = RefreshInterval.millis(settings());
      if (state == State.STARTED
          && interval >= 0
          && context.node().clock().millis() - now.refresher().lastRefreshMillis() >= interval
          && now.refresher().isDue()
          && now.refresher().isIdle()) {
        var _ =
            now.refresher().refresh().whenComplete((_, failure) -> logFailure("refresh", failure));
      }
      if (now.committer().isDue()) {
        var _ =
            CompletableFuture.runAsync(now.committer()::commitIfDue, context.node().blocking())
                .whenComplete((_, failure) -> logFailure("commit", failure));
      }
      snapshots.sweep();
      context.host().progressed();
    } finally {
      scheduleUpkeep();
    }
  }

  private Map<String, String> settings() {
    return context
        .node()
        .cluster()
        .current()
        .index(context.shard().indexUuid())
        .map(index -> index.settings())
        .orElse(Map.of());
  }

  private void logFailure(String what, @Nullable Throwable failure) {
    if (failure != null && state != State.CLOSED) {
      LOG.warn("{} {} failed: {}", context.shard(), what, failure.toString());
    }
  }

  private void gateClosed(String reason) {
    Parts now = parts;
    if (now != null) {
      now.sequencer().gateClosed();
    }
    if (state != State.CLOSED && state != State.FAILED) {
      state = State.GATE_CLOSED;
      LOG.warn("{} the gate of term {} is closed: {}", context.shard(), term, reason);
      context.host().broken(reason);
    }
  }

  private void fail(String reason) {
    if (state != State.CLOSED) {
      state = State.FAILED;
      FencedWriter fenced = writer;
      if (fenced != null) {
        fenced.close("the engine failed: " + reason);
      }
      context.host().broken(reason);
    }
  }

  private void enter(State next) {
    state = next;
    context.host().progressed();
  }

  private Parts started() {
    Parts now = parts;
    if (now == null || state == State.CLOSED) {
      throw new ApiException(Sequencer.stale("the primary of " + context.shard() + " is " + state));
    }
    return now;
  }

  private Parts writable(long askedTerm) {
    Parts now = started();
    if (askedTerm != term || state != State.STARTED || !now.writer().isOpen()) {
      throw new ApiException(
          Sequencer.stale(
              context.shard()
                  + " is "
                  + state
                  + " in term "
                  + term
                  + ", the request is of term "
                  + askedTerm));
    }
    return now;
  }

  /** Answers for each item; see {@link PrimaryWrites}. */
  public List<WriteResult> write(long askedTerm, List<WriteItem> items, Duration timeout)
      throws InterruptedException {
    return writable(askedTerm).writes().write(items, timeout);
  }

  /** See {@link FollowedWrites}. */
  public ReplicateWire.Answer replicate(
      long assignment, List<Operation> operations, Duration timeout) throws InterruptedException {
    return writable(term).followed().replicate(assignment, operations, timeout);
  }

  public ReplicateWire.Cursor cursor() {
    return writable(term).followed().cursor(appliedSeqNo.current());
  }

  /** What searches see after {@link #refresh}. */
  public record Refreshed(long term, long generation, long visibleSeqNo) {}

  /** Shows everything that was acked before the call. */
  public Refreshed refresh(Duration timeout) throws InterruptedException {
    Parts now = started();
    try {
      long began = System.nanoTime();
      if (!appliedSeqNo.await(now.sequencer().accepted().current(), timeout)) {
        throw new TimeoutException();
      }
      Refresher.Refreshed shown =
          now.refresher()
              .refresh()
              .get(timeout.toNanos() - (System.nanoTime() - began), TimeUnit.NANOSECONDS);
      return new Refreshed(shown.term(), shown.generation(), shown.visibleSeqNo());
    } catch (TimeoutException e) {
      throw new ApiException(
          503, "process_cluster_event_timeout_exception", "no refresh within " + timeout);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ApiException refused) {
        throw refused;
      }
      throw new IllegalStateException("the refresh failed", e.getCause());
    }
  }

  @Override
  public void flush() {
    started().committer().commit();
  }

  @Override
  public void forceMerge(MergeWish wish) {
    Parts now = started();
    now.engine().forceMerge(wish);
    if (wish.flush()) {
      now.committer().commit();
    }
    // Those who wait for the merge look at the result: it is shown, and handed on to replicas.
    now.refresher().refreshMerged().join();
  }

  public SnapshotSource snapshots() {
    return snapshots;
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
    return true;
  }

  @Override
  public State state() {
    return state;
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public Optional<SearchableCopy> searchable() {
    return state == State.STARTED || state == State.GATE_CLOSED
        ? Optional.ofNullable(engine)
        : Optional.empty();
  }

  @Override
  public OffsetWatcher visible() {
    return visible;
  }

  @Override
  public CopyProgress progress() {
    Parts now = parts;
    long nowMillis = context.node().clock().millis();
    boolean behind = now != null && now.refresher().isDue();
    return new CopyProgress(
        context.copyId(),
        context.shard(),
        context.node().identity().nodeId(),
        true,
        state.name(),
        term,
        snapshots.newest().map(manifest -> manifest.generation()).orElse(-1L),
        now == null ? 0 : now.applied().position().nextOffset(),
        appliedSeqNo.current(),
        visible.current(),
        0,
        0,
        behind ? nowMillis - now.refresher().lastRefreshMillis() : 0,
        -1,
        0,
        0,
        nowMillis);
  }

  @Override
  public CopyStats stats() {
    Parts now = started();
    EngineStats figures = now.engine().stats();
    return CopyStatsOf.engine(
        progress(),
        figures,
        context.folder(),
        new CopyStatsOf.Own(
            appliedSeqNo.current(),
            now.committer().uncommittedOperations(),
            mappingVersion(),
            now.committer().periodicCommits(),
            visible.waiting(),
            now.writes().byStatusClass()));
  }

  @Override
  public CopyRecovery recovery() {
    return recovery.read();
  }

  private long mappingVersion() {
    return context
        .node()
        .cluster()
        .current()
        .index(context.shard().indexUuid())
        .map(index -> index.mappingVersion())
        .orElse(0L);
  }

  @Override
  public void close() {
    if (state == State.CLOSED) {
      return;
    }
    boolean sound = state == State.STARTED || state == State.GATE_CLOSED;
    FencedWriter fenced = writer;
    if (fenced != null) {
      fenced.close("the copy is closing");
    }
    ScheduledFuture<?> planned = upkeep;
    if (planned != null) {
      planned.cancel(false);
    }
    Parts now = parts;
    if (now != null) {
      now.sequencer().gateClosed();
      if (sound) {
        commitApplied(now);
      }
    }
    state = State.CLOSED;
    visible.close();
    appliedSeqNo.close();
    snapshots.close();
    ShardEngine opened = engine;
    if (opened != null) {
      opened.close();
    }
  }

  private void commitApplied(Parts now) {
    try {
      if (!appliedSeqNo.await(now.sequencer().accepted().current(), CLOSE_TIMEOUT)) {
        LOG.warn("{} closes before all that was accepted is applied", context.shard());
      }
      now.committer().commit();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.warn("{} could not commit while closing; a restart replays more", context.shard(), e);
    }
  }
}
