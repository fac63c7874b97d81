package io.varve.shard.primary;

import io.varve.engine.SearchableCopy;
import io.varve.engine.ShardEngine;
import io.varve.events.CopyProgress;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.host.AbstractShardCopy;
import io.varve.host.CopyContext;
import io.varve.host.PeerRecovery;
import io.varve.host.RecoveryCourse;
import io.varve.host.SnapshotSource;
import io.varve.host.apply.ApplyLanes;
import io.varve.host.reading.LogEnd;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.Reencoded;
import io.varve.rpc.ReplicateWire;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.remote.RemoteStore;
import io.varve.shard.retention.LogNeeds;
import io.varve.shard.retention.LogTruncation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copy that writes, in one term.
 *
 * <pre>
 *   STARTING     opens what the last commit holds
 *   REPLAYING    applies what was accepted since the commit, appends the fence of its term, applies
 *                what came in between; then the gate is open: writes that came early are taken
 *   STARTED      the first segments are published
 *   GATE_CLOSED  fenced, or an append's fate is unknown: only a new object, under a higher term,
 *                goes on. Searches are still answered.
 * </pre>
 *
 * The moves between these states are those of {@link PrimaryLife}.
 *
 * <p>INVARIANTS: nothing is applied that was not accepted; a write is answered when it is accepted
 * and applied; what searches see never goes back.
 */
public final class PrimaryCopy extends AbstractShardCopy<PrimaryLife> {

  private static final Logger LOG = LoggerFactory.getLogger(PrimaryCopy.class);
  private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(4);

  private final CopyContext context;
  private final long term;
  private final WritePressure pressure;
  private final PublishedSnapshots snapshots;
  private final AppliedOperations applied;
  private final LogEnd logEnd;
  private final PrimaryRecovery recovery;
  private final PrimaryStore store;
  private final PrimaryFigures figures;
  private final PrimaryGate gate;
  private final MergesAhead merges;
  private final LogTruncation truncation;
  private volatile long publishedOffset = LogNeeds.UNKNOWN;

  /** Without other copies to be rebuilt from. */
  public PrimaryCopy(
      CopyContext context, long term, WritePressure pressure, @Nullable RemoteStore remote) {
    this(context, term, pressure, remote, PeerRecovery.NONE);
  }

  /**
   * {@code remote} is {@code null} on a node without a segment store; {@code peers} rebuild a
   * folder that the log no longer reaches back to.
   */
  public PrimaryCopy(
      CopyContext context,
      long term,
      WritePressure pressure,
      @Nullable RemoteStore remote,
      PeerRecovery peers) {
    super(context, true, new PrimaryLife());
    this.context = context;
    this.term = term;
    this.pressure = pressure;
    this.gate = new PrimaryGate(context.shard(), term);
    this.store = new PrimaryStore(context, remote);
    this.merges = new MergesAhead(context, term);
    ApplyLanes lanes =
        new ApplyLanes(
            Runtime.getRuntime().availableProcessors(), context.node().applying().threads());
    this.applied = new AppliedOperations(lanes);
    this.recovery = new PrimaryRecovery(context, term, store, peers, lanes, course(), merges);
    this.logEnd =
        new LogEnd(
            context.operations(),
            () -> applied.position(term),
            applied.offset(),
            context.node().blocking(),
            lost -> fail(String.valueOf(lost.getMessage())));
    this.snapshots =
        new PublishedSnapshots(
            context.node().settings().snapshotLeaseMillis(), context.node().clock(), merges);
    this.figures = new PrimaryFigures(context, term, applied, snapshots, store, merges);
    this.truncation = new LogTruncation(context, term, new Retained());
  }

  @Override
  public void start() throws Exception {
    life().starting();
    progressed();
    ShardEngine opened = recovery.open();
    opened.warmWith(warmer());
    life().replaying();
    progressed();
    open(recovery.replay(opened, this::closedBy));
  }

  private void open(PrimaryRecovery.Reached reached) throws Exception {
    PrimaryParts made =
        PrimaryParts.of(
            new PrimaryParts.Around(context, term, applied, snapshots),
            reached,
            new Refresher.Shown(visible(), this::published),
            this::state,
            this::fail);
    made.followed().restore(reached.replayed().origin());
    life().opening(made);
    FencedWriter writer = reached.writer();
    if (!writer.open(reached.replayed().fence(), reached.replayed().ownFence())) {
      throw new ApiException(Sequencer.stale(writer.closedReason()));
    }
    store.start(snapshots);
    gate.opened();
    made.refresher().refresh().get(PrimaryRecovery.FENCE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    life().started();
    progressed();
    merges.begin();
    course().enter(RecoveryCourse.Stage.DONE);
    if (!writer.isOpen()) {
      gateClosed(writer.closedReason());
    }
    made.upkeep().start();
    truncation.start();
  }

  /**
   * Deletes from the log what nobody needs any more, which also happens by itself.
   *
   * @throws LogException the log could not be asked, or does not delete
   */
  public void truncateLog() throws LogException, InterruptedException {
    truncation.run();
  }

  /** What the log is kept for by this copy. */
  private final class Retained implements LogTruncation.Primary {

    @Override
    public boolean isOpen() {
      FencedWriter writer = recovery.writer();
      return state() == State.STARTED && writer != null && writer.isOpen();
    }

    @Override
    public long durableOffset() {
      return PrimaryCopy.this.durableOffset();
    }

    @Override
    public long publishedOffset() {
      return publishedOffset;
    }

    @Override
    public @Nullable Long storedOffset() {
      return store.heldOffset();
    }
  }

  private void published(Manifest manifest) {
    publishedOffset = manifest.nextOffset();
    store.published(manifest);
    merges.published(manifest);
  }

  private void closedBy(String reason, long newerTerm) {
    gate.closedBy(newerTerm);
    gateClosed(reason);
  }

  private void gateClosed(String reason) {
    life().now().parts().ifPresent(now -> now.sequencer().gateClosed());
    gate.closed();
    merges.close();
    if (life().gateClosed()) {
      LOG.warn("{} the gate of term {} is closed: {}", context.shard(), term, reason);
      context.host().broken(reason);
    }
  }

  private void fail(String reason) {
    if (life().failed()) {
      LOG.error("{} can't go on as the primary of term {}: {}", context.shard(), term, reason);
      FencedWriter writer = recovery.writer();
      if (writer != null) {
        writer.close("the copy failed: " + reason);
      }
      context.host().broken(reason);
    }
  }

  private PrimaryParts started() {
    PrimaryLife.Phase now = life().now();
    if (now instanceof PrimaryLife.Working phase) {
      return phase.working();
    }
    throw new ApiException(
        Sequencer.stale("the primary of " + context.shard() + " is " + now.state()));
  }

  /** What writes, once the gate of that term is open. */
  private PrimaryParts writable(long askedTerm, Duration timeout) throws InterruptedException {
    gate.await(askedTerm, timeout);
    PrimaryParts now = started();
    gate.require(askedTerm, state(), now.writer());
    return now;
  }

  /**
   * Room for writes, before they are read: those that come early wait for the gate, and count.
   *
   * @throws ApiException 429 when there is none
   */
  public WritePressure.Room admit(long bytes) {
    return pressure.admit(bytes);
  }

  /** Answers for each item; see {@link PrimaryWrites}. */
  public List<WriteResult> write(long askedTerm, List<WriteItem> items, Duration timeout)
      throws InterruptedException {
    try (WritePressure.Room room = admit(PrimaryWrites.sizeBytes(items))) {
      return write(askedTerm, items, room, timeout);
    }
  }

  /** The same for writes that were let in. */
  public List<WriteResult> write(
      long askedTerm, List<WriteItem> items, WritePressure.Room room, Duration timeout)
      throws InterruptedException {
    PrimaryWrites writes = writable(askedTerm, timeout).writes();
    Optional<ErrorBody> refused = store.refusal();
    return refused.isPresent()
        ? writes.refused(items, refused.get())
        : writes.write(items, room, timeout);
  }

  /** See {@link FollowedWrites}. */
  public ReplicateWire.Answer replicate(
      long assignment, List<Operation> operations, Duration timeout) throws InterruptedException {
    return writable(term, timeout).followed().replicate(assignment, operations, timeout);
  }

  public ReplicateWire.Cursor cursor() throws InterruptedException {
    return writable(term, Duration.ZERO).followed().cursor(applied.seqNo().current());
  }

  /** Shows everything that was acked before the call, also by a primary that came after this. */
  public Refreshed refresh(Duration timeout) throws InterruptedException {
    PrimaryParts now = started();
    gate.refuseWhenFencedOff();
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    long newest = logEnd.newest(timeout);
    if (newest >= now.sequencer().nextSeqNo()) {
      throw new ApiException(
          Sequencer.stale(shard() + " did not take the newest write, another primary has"));
    }
    return now.refresher().shown(applied.seqNo(), newest, PrimaryWrites.remaining(deadlineNanos));
  }

  /** See {@link Sealing}. */
  public Refreshed seal(long clusterVersion, Duration timeout) throws InterruptedException {
    Sealing sealing = new Sealing(context, writable(term, timeout).writes(), store);
    return sealing.run(clusterVersion, this::refresh, timeout);
  }

  /** Another primary may have taken writes since: what holds for all of them is asked there. */
  @Override
  public void refuseWhenFencedOff() {
    gate.refuseWhenFencedOff();
  }

  @Override
  public void flush() {
    started().committer().commit();
  }

  @Override
  public void forceMerge(ForceMergeRequest wish) {
    PrimaryParts now = started();
    now.engine().settings(context.settings());
    now.engine().forceMerge(wish);
    if (wish.flush()) {
      now.committer().commit();
    }
    // Those who wait for the merge look at the result: it is shown, and handed on to replicas.
    now.refresher().refreshMerged().join();
  }

  @Override
  public Reencoded reencode(long bytesPerSecond, BooleanSupplier stop) {
    PrimaryParts now = started();
    now.engine().settings(context.settings());
    Reencoded done = now.engine().reencode(bytesPerSecond, stop);
    if (done.segments() > 0) {
      // The last commit holds the files of what was replaced.
      now.committer().commit();
      now.refresher().refreshMerged().join();
    }
    return done;
  }

  @Override
  public Optional<SnapshotSource> snapshots() {
    return Optional.of(snapshots);
  }

  @Override
  public long term() {
    return term;
  }

  @Override
  public long durableOffset() {
    return life().now().parts().map(now -> now.engine().committed().nextOffset()).orElse(-1L);
  }

  @Override
  public Optional<SearchableCopy> searchable() {
    return serves() ? Optional.ofNullable(recovery.engine()) : Optional.empty();
  }

  @Override
  public OffsetWatcher readable() {
    return applied.seqNo();
  }

  @Override
  public LogEnd logEnd() {
    return logEnd;
  }

  /** Refreshes as soon as {@code seqNo} is applied, unless it was shown by then. */
  @Override
  public void want(long seqNo, CompletableFuture<Boolean> wait) {
    CompletableFuture<Boolean> reached = applied.seqNo().reached(seqNo);
    var _ =
        reached.thenAccept(isApplied -> {
          boolean hidden = visible().current() < seqNo;
          if (isApplied && hidden && life().now() instanceof PrimaryLife.Started(var now)) {
            now.upkeep().refresh();
          }
        });
    var _ = wait.whenComplete((_, _) -> applied.seqNo().forget(reached));
  }

  @Override
  public Optional<String> damage() {
    return Optional.ofNullable(recovery.engine()).flatMap(ShardEngine::damage);
  }

  @Override
  public CopyProgress progress() {
    return figures.progress(life().now(), visible().current());
  }

  @Override
  public CopyStats stats() {
    return figures.stats(progress(), started(), visible().waiting());
  }

  @Override
  public void close() {
    if (state() == State.CLOSED) {
      return;
    }
    boolean sound = serves();
    try {
      endWork(sound);
    } finally {
      life().closed();
      letGo();
    }
  }

  private void endWork(boolean sound) {
    gate.closed();
    truncation.close();
    merges.close();
    FencedWriter writer = recovery.writer();
    if (writer != null) {
      writer.close("the copy is closing", SETTLE_TIMEOUT);
    }
    life()
        .now()
        .parts()
        .ifPresent(now -> {
          now.upkeep().close();
          now.sequencer().gateClosed();
          if (sound) {
            commitApplied(now);
          }
        });
  }

  /** The folder's lock goes in any case: the next copy needs it. */
  private void letGo() {
    try {
      visible().close();
      applied.close();
      store.close();
      snapshots.close();
    } finally {
      ShardEngine engine = recovery.engine();
      if (engine != null) {
        engine.close();
      }
    }
  }

  private void commitApplied(PrimaryParts now) {
    try {
      if (!applied.seqNo().await(now.sequencer().accepted().current(), CLOSE_TIMEOUT)) {
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
