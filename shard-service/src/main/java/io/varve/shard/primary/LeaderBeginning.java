package io.varve.shard.primary;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.Failback;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.engine.ShardEngine;
import io.varve.events.Feature;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.host.LeaderRecovery;
import io.varve.host.RecoveryProgress;
import io.varve.host.apply.Origins;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.LogOperations;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.rpc.ApiException;
import io.varve.rpc.BootstrapWire;
import io.varve.shard.retention.PinnedCommits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bootstraps an empty shard of a follower on its primary. The puller, which has access to the
 * leader, plans whether the leader's log is replayed or the leader's segments are copied first;
 * {@link BeginningState} lists the states.
 *
 * <p>An index that replaces a former leader index first tries to use the history of that index: see
 * {@link FailbackBeginning}.
 *
 * <p>If the index is promoted before BEGUN, the primary can't start, because the shard has no
 * content. Nothing is appended before BEGUN. If the shard copied the leader's segments, its own log
 * lacks the first operations. The log is therefore truncated after the first fence before anything
 * is published. As with any truncated log, a copy with an empty folder then copies another copy.
 * See {@link BegunLog}.
 *
 * <p>Copied segments may hold operations of the leader after the position of their manifest. The
 * primary publishes nothing, and is not started, before its own log has all of these operations.
 * INVARIANT: a copy of a started shard holds nothing that is not in the shard's log.
 */
final class LeaderBeginning {

  private static final Logger LOG = LoggerFactory.getLogger(LeaderBeginning.class);

  private final CopyContext context;
  private final LeaderRecovery leader;
  private final RecoveryProgress progress;
  private final Path folder;
  private final long term;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final BeginningState beginning = new BeginningState();
  private volatile boolean lacksOperations;

  /**
   * @param term of this primary
   */
  LeaderBeginning(
      CopyContext context, LeaderRecovery leader, RecoveryProgress progress, long term) {
    this.context = context;
    this.term = term;
    this.leader = leader;
    this.progress = progress;
    this.folder = context.folder().resolve("index");
  }

  /**
   * Waits until the folder can be opened; returns whether it was filled with content that is not in
   * the shard's log.
   */
  boolean fill() throws IOException, LogException, InterruptedException {
    discardContradicted();
    if (!hasNothing()) {
      return false;
    }
    refuseIfPromoted();
    Optional<Failback> failback =
        follow(context.node().cluster().current()).flatMap(FollowRelation::failback);
    if (failback.isPresent()
        && new FailbackBeginning(context, folder, term, failback.get()).fill()) {
      return true;
    }
    LOG.info("{} waits until a puller decides how it starts", context.shard());
    change(() -> beginning.awaits("", mustCopy()));
    boolean filled = false;
    try (ClusterView.Registration _ = context.node().cluster().listen(_ -> signal())) {
      BootstrapWire.Plan plan = awaitPlan();
      while (plan != null && plan.manifest() != null && !filled) {
        filled = copied(plan, plan.manifest());
        plan = filled ? null : awaitPlan();
      }
    }
    refuseIfPromoted();
    change(beginning::begun);
    return filled;
  }

  /** Empties a folder whose content contradicts the log; it is then recovered from the log. */
  private void discardContradicted() throws IOException, LogException {
    Checkpoint held = ClosedSegments.checkpoint(folder);
    if (!begins() || held.nextOffset() > 0) {
      return;
    }
    PartitionLog log = context.operations();
    BegunLog.Outcome outcome =
        BegunLog.decide(log, 0, held.nextSeqNo(), log.endOffset(), isPublished());
    if (outcome == BegunLog.Outcome.DISCARD) {
      LOG.warn(
          "{} discards its segments up to seq_no {}: another primary has started its log",
          context.shard(),
          held.nextSeqNo() - 1);
      PinnedCommits.delete(folder);
    }
  }

  /** Whether the index follows, or this shard has not started since it was promoted. */
  private boolean begins() {
    ClusterState state = context.node().cluster().current();
    return follows(state) || isPromoted(state);
  }

  private boolean hasNothing() throws LogException {
    if (!begins() || !context.node().cluster().current().has(Feature.FOLLOWER_BOOTSTRAP)) {
      return false;
    }
    PartitionLog log = context.operations();
    if (!ClosedSegments.checkpoint(folder).equals(Checkpoint.NONE)
        || log.startOffset() > 0
        || LogOperations.first(log).isPresent()) {
      return false;
    }
    return !isPublished();
  }

  /** Whether a primary of the shard has published or stored a manifest. */
  private boolean isPublished() throws LogException {
    PartitionLog manifests = context.manifests();
    ManifestLog.Newest newest = new ManifestLog(manifests).before(manifests.endOffset(), true);
    return newest.published() != null
        || (newest.stored() != null && newest.stored().manifest() != null);
  }

  /** Whether the index is no longer a follower, and this shard has not started since. */
  private boolean isPromoted(ClusterState state) {
    return state
        .index(context.shard().indexUuid())
        .filter(index -> index.awaitsFork(context.shard().number()))
        .isPresent();
  }

  /** An empty shard would record that it has the whole history of the leader. */
  private void refuseIfPromoted() throws IOException {
    if (isPromoted(context.node().cluster().current())) {
      throw new IOException(
          context.shard() + " had nothing of its leader when its index was promoted");
    }
  }

  private boolean follows(ClusterState state) {
    return follow(state).isPresent();
  }

  private Optional<FollowRelation> follow(ClusterState state) {
    return state.index(context.shard().indexUuid()).map(IndexMetadata::follow);
  }

  /** Waits for the next plan; null once the index is no longer a follower. */
  private BootstrapWire.@Nullable Plan awaitPlan() throws InterruptedException {
    lock.lockInterruptibly();
    try {
      BootstrapWire.Plan plan = beginning.next();
      while (plan == null && follows(context.node().cluster().current())) {
        changed.await();
        plan = beginning.next();
      }
      return plan;
    } finally {
      lock.unlock();
    }
  }

  private boolean copied(BootstrapWire.Plan plan, Manifest manifest) throws InterruptedException {
    change(() -> beginning.copying(manifest, manifest.totalBytes()));
    try {
      progress.enter(RecoveryProgress.Stage.INDEX);
      leader.run(
          context,
          folder,
          plan,
          progress,
          missing -> change(() -> beginning.copying(manifest, missing)));
      return true;
    } catch (IOException e) {
      LOG.warn("{} could not start from its leader's segments", context.shard(), e);
      change(() -> beginning.awaits(String.valueOf(e.getMessage()), mustCopy()));
      return false;
    }
  }

  /**
   * Whether the index will replace another one, which has content, once all primaries are started.
   */
  private boolean mustCopy() {
    return follow(context.node().cluster().current()).flatMap(FollowRelation::replaces).isPresent();
  }

  /**
   * Starts to execute the plan if one is awaited, and returns the status.
   *
   * @throws ApiException 409 if the puller was replaced
   */
  BootstrapWire.Status plan(long assignment, BootstrapWire.Plan plan) {
    PullerAdmission.refuseStrangers(context.index(), assignment);
    lock.lock();
    try {
      if (beginning.plan(plan)) {
        changed.signalAll();
      }
      return beginning.status();
    } finally {
      lock.unlock();
    }
  }

  BootstrapWire.Status status() {
    lock.lock();
    try {
      return beginning.status();
    } finally {
      lock.unlock();
    }
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
    } finally {
      lock.unlock();
    }
  }

  private void signal() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Truncates the log after the primary's fence if the log lacks the shard's first operations, even
   * if the index is no longer a follower. This is repeated until it succeeds, because a primary may
   * fail in between. Only the primary whose fence is in force may truncate: after the fence of
   * another primary, there may be operations that this primary rejects.
   *
   * @throws IOException if the log contradicts the folder, which is discarded at the next start
   */
  void truncateLog(PrimaryRecovery.Reached reached, Committer committer)
      throws IOException, LogException {
    ShardEngine engine = reached.engine();
    if (reached.replayed().ownFence() != TermFence.Verdict.FENCE_WON
        || Origins.ofCommit(engine.committedData()) == null) {
      return;
    }
    PartitionLog log = context.operations();
    Checkpoint held = engine.committed();
    boolean isPublished = held.nextOffset() == 0 && isPublished();
    switch (BegunLog.decide(
        log, held.nextOffset(), held.nextSeqNo(), reached.fence().offset(), isPublished)) {
      case KEEP -> {}
      case TRUNCATE -> {
        committer.commit();
        log.truncateBefore(engine.committed().nextOffset());
      }
      case DISCARD ->
          throw new IOException(
              "another primary began the log of " + context.shard() + " while this one copied");
    }
  }

  /** Whether the log lacks operations that the folder may hold; if so, nothing is published. */
  boolean lacksOperations() {
    return lacksOperations;
  }

  /**
   * Waits until the log has every operation that the folder may hold, and all of them are applied.
   *
   * @param opensGate called before that, while nothing may be published
   * @param heldSeqNo the highest seq_no that the folder may hold
   * @throws IOException if the index is no longer a follower, or the gate was closed
   */
  void awaitOperations(
      PrimaryParts parts, OffsetWatcher applied, long heldSeqNo, Runnable opensGate)
      throws IOException, ExecutionException, InterruptedException {
    OffsetWatcher accepted = parts.sequencer().accepted();
    lacksOperations = accepted.current() < heldSeqNo && begins();
    opensGate.run();
    if (!lacksOperations) {
      return;
    }
    LOG.info(
        "{} has operations up to seq_no {} in its segments, and up to {} in its log: it is started"
            + " when the puller has sent those between",
        context.shard(),
        heldSeqNo,
        accepted.current());
    CompletableFuture<Boolean> reached = accepted.reached(heldSeqNo);
    try (ClusterView.Registration _ =
        context.node().cluster().listen(state -> endUnlessFollowing(state, accepted, reached))) {
      if (!reached.get()) {
        throw new IOException(lacking(accepted.current(), heldSeqNo));
      }
    } finally {
      accepted.forget(reached);
    }
    if (!applied.await(heldSeqNo, PrimaryRecovery.FENCE_TIMEOUT)) {
      throw new IOException("operations of " + context.shard() + " were not applied in time");
    }
    lacksOperations = false;
  }

  private void endUnlessFollowing(
      ClusterState state, OffsetWatcher accepted, CompletableFuture<Boolean> reached) {
    if (!follows(state)) {
      accepted.forget(reached);
    }
  }

  private String lacking(long acceptedSeqNo, long heldSeqNo) {
    return "%s has operations up to seq_no %d in its segments, and up to %d in its log: %s"
        .formatted(
            context.shard(),
            heldSeqNo,
            acceptedSeqNo,
            follows(context.node().cluster().current())
                ? "its gate was closed"
                : "it had not pulled all of its leader's when its index was promoted");
  }
}
