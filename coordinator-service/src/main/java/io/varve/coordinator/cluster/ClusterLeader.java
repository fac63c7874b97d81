package io.varve.coordinator.cluster;

import io.varve.cluster.Absences;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterFold;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.FloodStage;
import io.varve.cluster.LeaderElection;
import io.varve.cluster.Membership;
import io.varve.cluster.Reconciler;
import io.varve.cluster.StaleCopies;
import io.varve.events.FeatureLevels;
import io.varve.log.FencedWriter;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.process.SteadyTimer;
import io.varve.rpc.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This coordinator's part in leading: the primary of the cluster log.
 *
 * <pre>
 *   FOLLOWING -> CAMPAIGNING   the election says so; a fence is appended
 *   CAMPAIGNING -> LEADING     the log was read up to the fence, and it won
 *   CAMPAIGNING -> FOLLOWING   it lost, or its fate is unknown
 *   LEADING -> FOLLOWING       a higher fence was seen, or an append's fate is unknown
 * </pre>
 *
 * A leader says so in its heartbeats for as long as its thread gets on; one that does not is
 * silent, and others try. Who wins fences and can't lead tries again later and later.
 *
 * <p>One thread does it all: a command is decided on the state that includes everything appended
 * before, its events are one record, so that all of them happen or none; what the reconciler adds
 * to them follows at once, and the command completes when all that is accepted. Log callbacks and
 * news only hand work to that thread.
 */
final class ClusterLeader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterLeader.class);
  static final long TICK_MILLIS = 500;

  /** A reign whose thread has not looked around for so long is none. */
  private static final long STUCK_AFTER_MILLIS = 10_000;

  private static final long LONGEST_PAUSE_MILLIS = 60_000;

  /** What the leader thinks with. */
  record Mind(
      LeaderElection election,
      Membership membership,
      Reconciler reconciler,
      StaleCopies stale,
      int newestFeatureLevel) {}

  /** Who leads. */
  record Self(String nodeId, String clusterName, Supplier<String> ids) {}

  private final Self self;
  private final Mind mind;
  private final PartitionLog log;
  private final ClusterView view;
  private final NodeTracker nodes;
  private final LongSupplier clockMillis;
  private final ExecutorService blocking;
  private final ScheduledExecutorService thread = new SteadyTimer("cluster-leader");
  private final Absences absences = new Absences();
  private final CopyOutcomes outcomes = new CopyOutcomes();
  private final FloodStage floodStage = new FloodStage();
  private final RefusedNodes refused = new RefusedNodes();
  private final LogShortening shortening;

  private volatile Consumer<Set<String>> onReign = deletedIndices -> {};

  // The leader's thread alone writes these.
  private volatile @Nullable Reign reign;
  private boolean campaigning;
  private long triedTerm;
  private long seenTerm;
  private long seenTermSinceMillis;
  private int reignsInVain;
  private long notBeforeMillis;
  private volatile long governedMillis;

  ClusterLeader(
      Self self,
      Mind mind,
      PartitionLog log,
      ClusterView view,
      NodeTracker nodes,
      LongSupplier clockMillis,
      ExecutorService blocking) {
    this.self = self;
    this.mind = mind;
    this.log = log;
    this.view = view;
    this.nodes = nodes;
    this.clockMillis = clockMillis;
    this.blocking = blocking;
    this.shortening = new LogShortening(log, view, blocking);
  }

  /** When the view has read the log as it is now. */
  void start() {
    view.listen(state -> onThread(() -> noticeTerm(state)));
    nodes.onNews(() -> onThread(this::tick));
    // Its future only ends with this leader: nothing that happens in a tick gets out of it.
    var _ = thread.scheduleWithFixedDelay(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** Told at the beginning of each reign which indices were deleted before; it must not block. */
  void onReign(Consumer<Set<String>> listener) {
    onReign = listener;
  }

  boolean isLeading() {
    return reign != null;
  }

  /** The term of a reign that is well; 0 for none. */
  long leadingTerm() {
    Reign now = reign;
    boolean well = clockMillis.getAsLong() - governedMillis <= STUCK_AFTER_MILLIS;
    return now != null && well ? now.writer().term() : 0;
  }

  /** Places where copies failed are tried again with the next decision. */
  void retryFailed() {
    onThread(outcomes::forget);
  }

  /**
   * Decides and appends on the leader's thread.
   *
   * @return completes with the version in which it holds; exceptionally with an {@link
   *     ApiException}: the refusal, 421 when this coordinator doesn't lead, 503 when the log failed
   */
  CompletableFuture<Long> submit(Function<ClusterState, Decision> decide) {
    CompletableFuture<CompletableFuture<Long>> appended = new CompletableFuture<>();
    if (!onThread(() -> carryOut(decide, appended))) {
      return CompletableFuture.failedFuture(LeaderErrors.notLeading());
    }
    return appended.thenCompose(accepted -> accepted);
  }

  private void carryOut(
      Function<ClusterState, Decision> decide,
      CompletableFuture<CompletableFuture<Long>> appended) {
    Reign now = reign;
    if (now == null) {
      appended.completeExceptionally(LeaderErrors.notLeading());
      return;
    }
    try {
      switch (decide.apply(now.state())) {
        case Decision.Refused(var error) -> appended.completeExceptionally(new ApiException(error));
        case Decision.Events(var events) -> {
          outcomes.learn(now.state(), events, clockMillis.getAsLong());
          if (!events.isEmpty()) {
            now.append(List.of(ClusterEvent.together(events)));
          }
          reconcile(now);
          appended.complete(now.accepted());
        }
      }
    } catch (ApiException e) {
      appended.completeExceptionally(e);
      stepDown(now, e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("a command failed", e);
      appended.completeExceptionally(e);
    }
  }

  private void tick() {
    Reign now = reign;
    if (now != null) {
      govern(now);
    } else if (!campaigning
        && clockMillis.getAsLong() >= notBeforeMillis
        && mind.election().shouldCampaign(view.current(), leaderSilentMillis())) {
      campaign();
    }
  }

  private void govern(Reign now) {
    governedMillis = clockMillis.getAsLong();
    try {
      if (nodes.hears()) {
        Map<String, Membership.Sign> signs = nodes.signs();
        long nowMillis = clockMillis.getAsLong();
        refused.update(mind.membership().refused(now.state(), signs, nowMillis)).forEach(LOG::warn);
        now.append(
            mind.membership().changes(now.state(), signs, nodes.listeningSinceMillis(), nowMillis));
      }
      giveUp(now);
      reconcile(now);
    } catch (ApiException e) {
      stepDown(now, e.getMessage());
    }
  }

  private void giveUp(Reign now) {
    List<ClusterEvent> stale = mind.stale().due(now.state(), clockMillis.getAsLong());
    outcomes.learn(now.state(), stale, clockMillis.getAsLong());
    now.append(stale);
  }

  private void reconcile(Reign now) {
    long nowMillis = clockMillis.getAsLong();
    ClusterState state = now.state();
    Map<String, DiskUsage> disks = nodes.disks();
    now.append(
        mind.reconciler()
            .reconcile(
                state,
                new Reconciler.Situation(
                    absences.update(state, nowMillis),
                    outcomes.refused(state, nowMillis),
                    disks,
                    nowMillis)));
    now.append(floodStage.changes(now.state(), disks));
    now.appendSnapshotIfDue();
    shortening.removeWhatIsSuperfluous();
  }

  private long leaderSilentMillis() {
    noticeTerm(view.current());
    long heard =
        Math.max(seenTermSinceMillis, nodes.leaderHeardMillis(view.current().leaderTerm()));
    return clockMillis.getAsLong() - heard;
  }

  private void noticeTerm(ClusterState state) {
    if (state.leaderTerm() > seenTerm) {
      seenTerm = state.leaderTerm();
      seenTermSinceMillis = clockMillis.getAsLong();
    }
    Reign now = reign;
    if (now != null && state.leaderTerm() > now.writer().term()) {
      stepDown(now, "term " + state.leaderTerm() + " belongs to " + state.leaderNodeId());
    }
  }

  private void campaign() {
    long term = Math.max(view.current().leaderTerm(), triedTerm) + 1;
    triedTerm = term;
    campaigning = true;
    LOG.info("trying to lead in term {}", term);
    List<FencedWriter> own = new ArrayList<>();
    FencedWriter writer =
        new FencedWriter(
            log,
            term,
            self.nodeId(),
            blocking,
            (reason, newerTerm) -> onThread(() -> closed(own.getFirst(), reason)));
    own.add(writer);
    try {
      writer.appendFence(outcome -> onThread(() -> fenced(writer, outcome)));
    } catch (LogException.Full | RuntimeException e) {
      lose("the log takes no fence now: " + e.getMessage());
    }
  }

  private void fenced(FencedWriter writer, FencedWriter.Outcome outcome) {
    switch (outcome) {
      case FencedWriter.Outcome.Unknown(var reason) -> lose(reason);
      case FencedWriter.Outcome.Rejected(var reason) -> lose(reason);
      case FencedWriter.Outcome.Accepted accepted -> {
        try {
          ClusterFold fold = new ClusterFold();
          List<TermFence.Verdict> verdicts = new ArrayList<>(List.of(TermFence.Verdict.FENCE_LOST));
          log.read(
              log.startOffset(),
              accepted.offset() + 1,
              stored -> verdicts.set(0, fold.add(stored)));
          if (writer.open(fold.fence(), verdicts.getFirst())) {
            lead(new Reign(writer, fold));
            onReign.accept(Set.copyOf(fold.deletedIndices()));
          } else {
            lose(writer.closedReason());
          }
        } catch (LogException | RuntimeException | Error e) {
          writer.close("the cluster log can't be read");
          pause();
          lose("the cluster log can't be read: " + e.getMessage());
        }
      }
    }
  }

  /** Others could lead who can read the log: this one leaves them more and more time. */
  private void pause() {
    reignsInVain++;
    long pauseMillis = TICK_MILLIS << Math.min(reignsInVain, 10);
    notBeforeMillis = clockMillis.getAsLong() + Math.min(pauseMillis, LONGEST_PAUSE_MILLIS);
  }

  private void lose(String reason) {
    campaigning = false;
    LOG.info("not leading: {}", reason);
  }

  private void lead(Reign own) {
    LOG.info("leading in term {}", own.writer().term());
    campaigning = false;
    reignsInVain = 0;
    reign = own;
    try {
      if (own.state().version() == 0) {
        own.append(List.of(beginning()));
      }
      govern(own);
    } catch (ApiException e) {
      stepDown(own, e.getMessage());
    }
  }

  /** A new cluster has no member of an older release yet, so it begins at the newest level. */
  private ClusterEvent beginning() {
    List<ClusterEvent> events = new ArrayList<>();
    events.add(new ClusterEvent.ClusterFormed(self.clusterName(), self.ids().get()));
    if (mind.newestFeatureLevel() > FeatureLevels.FIRST) {
      events.add(new ClusterEvent.FeatureLevelRaised(mind.newestFeatureLevel()));
    }
    return ClusterEvent.together(events);
  }

  private void closed(FencedWriter writer, String reason) {
    Reign now = reign;
    if (now != null && now.writer() == writer) {
      stepDown(now, reason);
    }
  }

  private void stepDown(Reign now, String reason) {
    LOG.warn("no longer leading in term {}: {}", now.writer().term(), reason);
    reign = null;
    now.end(reason);
  }

  /** False when this leader is closed. */
  private boolean onThread(Runnable work) {
    try {
      // A defect in one task must not end the others: the timer logs it.
      thread.execute(work);
      return true;
    } catch (RejectedExecutionException e) {
      LOG.debug("closed, so this is not done: {}", e.getMessage());
      return false;
    }
  }

  @Override
  public void close() {
    onThread(() -> {
      Reign now = reign;
      if (now != null) {
        stepDown(now, "this process ends");
      }
    });
    thread.shutdown();
  }
}
