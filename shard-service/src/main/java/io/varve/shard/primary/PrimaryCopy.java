package io.varve.shard.primary;

import io.varve.engine.SearchableCopy;
import io.varve.engine.ShardEngine;
import io.varve.events.CopyProgress;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.host.AbstractShardCopy;
import io.varve.host.CopyContext;
import io.varve.host.LeaderRecovery;
import io.varve.host.PeerRecovery;
import io.varve.host.RecoveryProgress;
import io.varve.host.SnapshotSource;
import io.varve.host.apply.ApplyLanes;
import io.varve.host.reading.LogEnd;
import io.varve.host.reading.StrongReads;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ApiException;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.ForkPlace;
import io.varve.rpc.Reencoded;
import io.varve.rpc.ReplicateWire;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.remote.RemoteStore;
import io.varve.shard.replicated.Rereplications;
import io.varve.shard.replicated.StrongRecords;
import io.varve.shard.retention.LogTruncation;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The primary copy of a shard, in one term.
 *
 * <pre>
 *   STARTING     opens the last commit
 *   REPLAYING    applies the operations accepted since the commit, appends the fence of its term,
 *                applies the operations that earlier primaries wrote before the fence, and opens
 *                the gate for waiting writes; a follower waits for the operations of its segments
 *   STARTED      has published its first segments
 *   GATE_CLOSED  fenced, or the outcome of an append is unknown: only a new copy, under a higher
 *                term, may write. Searches are still answered.
 * </pre>
 *
 * {@link PrimaryLife} defines the transitions between these states.
 *
 * <p>INVARIANTS: nothing is applied that was not accepted; a write is answered when it is accepted
 * and applied; searches never see an older state than before.
 */
public final class PrimaryCopy extends AbstractShardCopy<PrimaryLife> {

  private final CopyContext context;
  private final long term;
  private final WritePressure pressure;
  private final Rereplications rereplications;
  private final PublishedSnapshots snapshots;
  private final AppliedOperations applied;
  private final LogEnd logEnd;
  private final LeaderBeginning beginning;
  private final PrimaryRecovery recovery;
  private final PrimaryStore store;
  private final PrimaryStats stats;
  private final PrimaryGate gate;
  private final MergesAhead merges;
  private final PrimaryOffsets offsets;
  private final LogTruncation truncation;
  private final PrimaryMaintenance maintenance;
  private final PrimaryEndings endings;
  private final PrimaryClosing closing;
  private volatile @Nullable ForkPlace forkPlace;

  /** A copy that can't be rebuilt from other copies. */
  public PrimaryCopy(
      CopyContext context, long term, WritePressure pressure, @Nullable RemoteStore remote) {
    this(
        context,
        term,
        new OfNode(pressure, new Rereplications(context.node().clock())),
        remote,
        PeerRecovery.NONE,
        LeaderRecovery.NONE);
  }

  /** What the primaries of a node share. */
  public record OfNode(WritePressure pressure, Rereplications rereplications) {}

  /**
   * @param remote {@code null} on a node without a segment store
   * @param peers rebuild the folder when the log begins after its last commit
   * @param leader fills the folder of a following index that is still empty
   */
  public PrimaryCopy(
      CopyContext context,
      long term,
      OfNode node,
      @Nullable RemoteStore remote,
      PeerRecovery peers,
      LeaderRecovery leader) {
    super(context, true, new PrimaryLife());
    this.context = context;
    this.term = term;
    this.pressure = node.pressure();
    this.rereplications = node.rereplications();
    this.gate = new PrimaryGate(context.shard(), term);
    this.store = new PrimaryStore(context, remote);
    this.merges = new MergesAhead(context, term);
    this.beginning = new LeaderBeginning(context, leader, recoveryProgress(), term);
    ApplyLanes lanes =
        new ApplyLanes(
            Runtime.getRuntime().availableProcessors(), context.node().applying().threads());
    this.applied = new AppliedOperations(lanes);
    this.recovery =
        new PrimaryRecovery(context, term, store, peers, lanes, recoveryProgress(), merges);
    this.endings = new PrimaryEndings(context, term, life(), gate, merges, recovery::writer);
    this.logEnd = applied.logEnd(context, term, endings::logLost);
    this.snapshots =
        new PublishedSnapshots(
            context.node().settings().snapshotLeaseMillis(), context.node().clock(), merges);
    this.stats = new PrimaryStats(context, term, applied, snapshots, store, merges);
    this.offsets = new PrimaryOffsets(life(), recovery, store);
    this.truncation = new LogTruncation(context, term, offsets);
    this.maintenance = new PrimaryMaintenance(context);
    this.closing = new PrimaryClosing(context, recovery, applied, snapshots, store, visible());
  }

  @Override
  public void start() throws Exception {
    life().starting();
    progressed();
    new ShardRevival(context, term).run();
    ShardEngine opened = recovery.open(beginning.fill());
    opened.warmWith(warmer());
    life().replaying();
    progressed();
    open(recovery.replay(opened, endings::closedBy));
  }

  private void open(PrimaryRecovery.Reached reached) throws Exception {
    PrimaryParts made =
        PrimaryParts.of(
            new PrimaryParts.Dependencies(
                context, term, applied, snapshots, logEnd, rereplications),
            reached,
            new Refresher.Shown(visible(), this::published, beginning::lacksOperations),
            this::state,
            endings::fail);
    made.followed().restore(reached.replayed().origin());
    beginning.truncateLog(reached, made.committer());
    life().opening(made);
    FencedWriter writer = reached.writer();
    if (!writer.open(reached.replayed().fence(), reached.replayed().ownFence())) {
      throw new ApiException(Sequencer.stale(writer.closedReason()));
    }
    made.writing().track();
    forkPlace = made.followed().forkAt(reached.fence().offset());
    store.start(snapshots);
    beginning.awaitOperations(made, applied.seqNo(), reached.engine().maxSeqNo(), this::opensGate);
    made.refresher().refresh().get(PrimaryRecovery.FENCE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
    life().started();
    forgetBefore();
    progressed();
    merges.begin();
    recoveryProgress().enter(RecoveryProgress.Stage.DONE);
    if (!writer.isOpen()) {
      endings.gateClosed(writer.closedReason());
    }
    made.upkeep().start();
    truncation.start();
  }

  private void opensGate() {
    gate.opened();
    context.host().gate(CopyContext.GateChange.OPENED);
  }

  /**
   * Deletes the operations that are no longer needed now, instead of at the next interval.
   *
   * @throws LogException if the log can't be read or truncated
   */
  public void truncateLog() throws LogException, InterruptedException {
    truncation.run();
  }

  private void published(Manifest manifest) {
    offsets.published(manifest);
    store.published(manifest);
    merges.published(manifest);
  }

  private PrimaryParts started() {
    PrimaryLife.Phase now = life().now();
    if (now instanceof PrimaryLife.Working phase) {
      return phase.working();
    }
    throw new ApiException(
        Sequencer.stale("the primary of " + context.shard() + " is " + now.state()));
  }

  /** Waits until the gate of that term is open, and returns the parts that write. */
  private PrimaryParts writable(long askedTerm, Duration timeout) throws InterruptedException {
    gate.await(askedTerm, timeout);
    PrimaryParts now = started();
    gate.require(askedTerm, state(), now.writer());
    return now;
  }

  /**
   * Reserves memory for writes before they are read. Writes that wait for the gate also count.
   *
   * @throws ApiException 429 when in-flight bytes exceed the limit
   */
  public WritePressure.Room admit(long bytes) {
    return pressure.admit(bytes);
  }

  /** Writes the items and returns their results; see {@link PrimaryWrites}. */
  public List<WriteResult> write(long askedTerm, List<WriteItem> items, Duration timeout)
      throws InterruptedException {
    try (WritePressure.Room room = admit(PrimaryWrites.sizeBytes(items))) {
      return write(askedTerm, items, room, timeout);
    }
  }

  /** Writes items for which {@link #admit} has reserved memory. */
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

  /** See {@link LeaderBeginning}. */
  public BootstrapWire.Status bootstrap(long assignment, BootstrapWire.Plan plan) {
    return beginning.plan(assignment, plan);
  }

  public BootstrapWire.Status bootstrap() {
    return beginning.status();
  }

  public ReplicateWire.Cursor cursor() throws InterruptedException {
    return writable(term, Duration.ZERO).followed().cursor(applied.seqNo().current());
  }

  /**
   * Makes everything visible that was acknowledged before the call; fails if a primary of a later
   * term may have acknowledged writes.
   */
  public Refreshed refresh(Duration timeout) throws InterruptedException {
    PrimaryParts now = started();
    gate.refuseWhenFencedOff();
    long deadlineNanos = System.nanoTime() + timeout.toNanos();
    long newest = logEnd.newest(timeout);
    if (newest >= now.sequencer().nextSeqNo()) {
      throw new ApiException(
          Sequencer.stale(shard() + " did not accept the newest write; another primary did"));
    }
    return now.refresher().shown(applied.seqNo(), newest, PrimaryWrites.remaining(deadlineNanos));
  }

  @Override
  public Optional<ForkPlace> fork() {
    return Optional.ofNullable(forkPlace)
        .filter(_ -> context.index().awaitsFork(context.shard().number()));
  }

  /** See {@link Sealing}. */
  public Refreshed seal(long clusterVersion, Duration timeout) throws InterruptedException {
    Sealing sealing = new Sealing(context, writable(term, timeout).writes(), store);
    return sealing.run(clusterVersion, this::refresh, timeout);
  }

  /** Refuses to answer once fenced, because another primary may have accepted writes since. */
  @Override
  public void refuseWhenFencedOff() {
    gate.refuseWhenFencedOff();
  }

  @Override
  public void flush() {
    started().committer().commit();
  }

  @Override
  public void forceMerge(ForceMergeRequest request) {
    maintenance.forceMerge(started(), request);
  }

  @Override
  public Reencoded reencode(long bytesPerSecond, BooleanSupplier stop) {
    return maintenance.reencode(started(), bytesPerSecond, stop);
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
    return offsets.durableOffset();
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

  /** Refreshes as soon as {@code seqNo} is applied, unless it is already visible. */
  @Override
  public void want(long seqNo, CompletableFuture<Boolean> wait) {
    applied.onceApplied(
        seqNo,
        wait,
        () -> life().now().parts().ifPresent(now -> now.upkeep().refreshUnlessVisible(seqNo)));
  }

  @Override
  public void searchBegins() {
    life().now().parts().ifPresent(now -> now.upkeep().searchBegins());
  }

  @Override
  public @Nullable StrongReads strongReads() {
    return strongRecords().map(StrongRecords::reads).orElse(null);
  }

  /** The replication states of its records, if the copy is open and its index is strong. */
  public Optional<StrongRecords> strongRecords() {
    return life().now().parts().map(now -> now.writing().strong());
  }

  @Override
  public Optional<String> damage() {
    return Optional.ofNullable(recovery.engine()).flatMap(ShardEngine::damage);
  }

  @Override
  public CopyProgress progress() {
    return stats.progress(life().now(), visible().current());
  }

  @Override
  public CopyStats stats() {
    return stats.stats(progress(), started(), visible().waiting());
  }

  @Override
  public void close() {
    if (state() == State.CLOSED) {
      return;
    }
    boolean commits = serves() || endings.logLost();
    try {
      gate.closed();
      truncation.close();
      merges.close();
      closing.endWork(life().now().parts(), commits);
    } finally {
      life().closed();
      forgetBefore();
      closing.release();
    }
  }
}
