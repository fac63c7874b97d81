package io.varve.control;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.DiskUsage;
import io.varve.control.allocation.Absences;
import io.varve.control.allocation.FloodStage;
import io.varve.control.allocation.Reconciled;
import io.varve.control.allocation.Reconciler;
import io.varve.control.allocation.StaleCopies;
import io.varve.control.command.Decision;
import io.varve.control.command.LeaseDecisions;
import io.varve.events.FeatureLevels;
import io.varve.log.FencedWriter;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader role of this coordinator, that is the primary of the cluster log.
 *
 * <pre>
 *   FOLLOWING -> CAMPAIGNING   LeaderElection requires it; a fence is appended
 *   CAMPAIGNING -> LEADING     the log was read up to the fence, and the fence won
 *   CAMPAIGNING -> FOLLOWING   the fence lost, or the outcome of its append is unknown
 *   LEADING -> FOLLOWING       a higher fence was read, or the outcome of an append is unknown
 * </pre>
 *
 * A leader announces itself in its heartbeats while its thread makes progress; when these
 * announcements stop, other coordinators campaign ({@link Campaign}).
 *
 * <p>One thread decides and appends. A command is decided on the state that includes everything
 * appended before. Its events are one record, so either all of them are applied or none. The events
 * of the reconciler are appended after them, and the command completes when all of these events are
 * accepted. A reconciliation reads all copies of the cluster. Commands that are enqueued when the
 * first of them is decided therefore share one reconciliation, and a reconciliation that can have
 * no result is not run ({@link Reconciled}). Callbacks of the log and of the heartbeats only
 * enqueue work for that thread.
 */
public final class ClusterLeader implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterLeader.class);
  static final long TICK_MILLIS = 500;

  /**
   * A leader whose thread has not completed a tick for this long does not announce itself as
   * leader.
   */
  private static final long STUCK_AFTER_MILLIS = 10_000;

  /** The objects that make the leader's decisions. */
  public record Policies(
      LeaderElection election,
      Membership membership,
      MemberChecks checks,
      Reconciler reconciler,
      StaleCopies stale,
      LeaseDecisions leases) {}

  /** A command whose events are appended in a term, and that waits for the reconciler's events. */
  private record Unsettled(LeaderTerm term, CompletableFuture<CompletableFuture<Long>> appended) {

    /** After the term has ended, the result is the outcome of its last append. */
    void settled() {
      appended.complete(term.accepted());
    }

    void failed(RuntimeException reason) {
      appended.completeExceptionally(reason);
    }
  }

  /** The identity of this coordinator, and the newest feature level that it supports. */
  public record Identity(
      String nodeId, String clusterName, Supplier<String> ids, int newestFeatureLevel) {}

  private final Identity identity;
  private final Policies policies;
  private final ClusterView view;
  private final NodeSigns nodes;
  private final LeaderLoop loop;
  private final Absences absences = new Absences();
  private final CopyOutcomes outcomes = new CopyOutcomes();
  private final FloodStage floodStage = new FloodStage();
  private final RefusedNodes refused = new RefusedNodes();
  private final Reconciled reconciled = new Reconciled();
  private final List<Unsettled> unsettled = new ArrayList<>();
  private final LogShortening shortening;
  private final Campaign campaign;

  private volatile Consumer<Set<String>> onTerm = deletedIndices -> {};

  // Written by the leader's thread only.
  private volatile @Nullable LeaderTerm leading;
  private volatile long governedMillis;

  private final Campaign.Listener results =
      new Campaign.Listener() {
        @Override
        public void won(LeaderTerm term, Set<String> deletedIndices) {
          lead(term);
          onTerm.accept(deletedIndices);
        }

        @Override
        public void closed(FencedWriter writer, String reason) {
          LeaderTerm now = leading;
          if (now != null && now.writer() == writer) {
            stepDown(now, reason);
          }
        }
      };

  public ClusterLeader(
      Identity identity,
      Policies policies,
      PartitionLog log,
      ClusterView view,
      NodeSigns nodes,
      LeaderLoop loop) {
    this.identity = identity;
    this.policies = policies;
    this.view = view;
    this.nodes = nodes;
    this.loop = loop;
    this.campaign = new Campaign(identity.nodeId(), policies.election(), log, view, nodes, loop);
    this.shortening = new LogShortening(log, view, loop.blocking());
  }

  /** Called when the view has read the log up to its current end. */
  public void start() {
    view.listen(state -> loop.execute(() -> noticeTerm(state)));
    nodes.onNews(() -> loop.execute(this::tick));
    loop.repeat(this::tick, TICK_MILLIS);
  }

  /**
   * Registers a listener that is called with the deleted indices at the start of each term in which
   * this coordinator leads. It must not block.
   */
  public void onTerm(Consumer<Set<String>> listener) {
    onTerm = listener;
  }

  public boolean isLeading() {
    return leading != null;
  }

  /** The term in which this coordinator leads and makes progress; 0 for none. */
  public long leadingTerm() {
    LeaderTerm now = leading;
    boolean well = loop.nowMillis() - governedMillis <= STUCK_AFTER_MILLIS;
    return now != null && well ? now.writer().term() : 0;
  }

  /** Allows the next decision to allocate copies to nodes where they failed. */
  void retryFailed() {
    loop.execute(outcomes::forget);
  }

  /**
   * Decides and appends on the leader's thread.
   *
   * @return completes with the version in which the command is applied, or exceptionally with an
   *     {@link ApiException}: a rejection, 421 when this coordinator doesn't lead, 503 when the log
   *     failed
   */
  public CompletableFuture<Long> submit(Function<ClusterState, Decision> decide) {
    CompletableFuture<CompletableFuture<Long>> appended = new CompletableFuture<>();
    if (!loop.execute(() -> carryOut(decide, appended))) {
      return CompletableFuture.failedFuture(LeaderErrors.notLeading());
    }
    return appended.thenCompose(accepted -> accepted);
  }

  private void carryOut(
      Function<ClusterState, Decision> decide,
      CompletableFuture<CompletableFuture<Long>> appended) {
    LeaderTerm now = leading;
    if (now == null) {
      appended.completeExceptionally(LeaderErrors.notLeading());
      return;
    }
    try {
      switch (decide.apply(now.state())) {
        case Decision.Refused(var error) -> appended.completeExceptionally(new ApiException(error));
        case Decision.Events(var events) -> {
          outcomes.learn(now.state(), events, loop.nowMillis());
          if (!events.isEmpty()) {
            now.append(List.of(ClusterEvent.together(events)));
          }
          settleLater(new Unsettled(now, appended));
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

  /** Reconciles after the commands that are enqueued now. */
  private void settleLater(Unsettled command) {
    unsettled.add(command);
    if (unsettled.size() == 1 && !loop.execute(this::settle)) {
      settle();
    }
  }

  private void settle() {
    List<Unsettled> commands = List.copyOf(unsettled);
    unsettled.clear();
    LeaderTerm now = leading;
    try {
      if (now != null) {
        reconcile(now);
      }
      commands.forEach(Unsettled::settled);
    } catch (ApiException e) {
      commands.forEach(command -> command.failed(e));
      stepDown(Objects.requireNonNull(now), e.getMessage());
    } catch (RuntimeException e) {
      LOG.error("the cluster could not be reconciled", e);
      commands.forEach(command -> command.failed(e));
    }
  }

  private void tick() {
    LeaderTerm now = leading;
    if (now != null) {
      govern(now);
    } else {
      campaign.beginIfDue(results);
    }
  }

  private void govern(LeaderTerm now) {
    governedMillis = loop.nowMillis();
    try {
      updateMembers(now);
      giveUp(now);
      now.append(policies.leases().due(now.state(), loop.nowMillis()));
      reconcile(now);
    } catch (ApiException e) {
      stepDown(now, e.getMessage());
    }
  }

  private void updateMembers(LeaderTerm now) {
    Map<String, Membership.Sign> signs = nodes.signs();
    long nowMillis = loop.nowMillis();
    refused.update(policies.membership().refused(now.state(), signs, nowMillis)).forEach(LOG::warn);
    List<ClusterEvent> changes =
        policies
            .membership()
            .changes(now.state(), signs, nodeId -> nodes.heard(nodeId).silentMillis(), nowMillis);
    policies.checks().removed(now.state(), changes);
    now.append(changes);
    policies.checks().tick(situation(now), this::probed);
  }

  /**
   * Reports that a connection to that process of a node was refused or broke. It is ignored if this
   * coordinator does not lead.
   */
  public void disconnected(String nodeId, String incarnation) {
    loop.execute(() -> {
      LeaderTerm now = leading;
      if (now != null) {
        policies.checks().disconnected(situation(now), nodeId, incarnation, this::probed);
      }
    });
  }

  private void probed(FaultDetection.Suspect suspect, AddressProbe.Outcome outcome) {
    loop.execute(() -> {
      LeaderTerm now = leading;
      if (now != null) {
        policies
            .checks()
            .probed(situation(now), suspect, outcome, this::probed)
            .ifPresent(left -> remove(now, left));
      }
    });
  }

  private void remove(LeaderTerm now, ClusterEvent left) {
    try {
      now.append(List.of(left));
      reconcile(now);
    } catch (ApiException e) {
      stepDown(now, e.getMessage());
    }
  }

  private MemberChecks.Situation situation(LeaderTerm now) {
    return new MemberChecks.Situation(now.state(), nodes::heard, loop.nowMillis());
  }

  private void giveUp(LeaderTerm now) {
    List<ClusterEvent> stale = policies.stale().due(now.state(), loop.nowMillis());
    outcomes.learn(now.state(), stale, loop.nowMillis());
    now.append(stale);
  }

  private void reconcile(LeaderTerm now) {
    long nowMillis = loop.nowMillis();
    ClusterState state = now.state();
    Map<String, DiskUsage> disks = nodes.disks();
    Reconciler.Situation situation =
        new Reconciler.Situation(
            absences.update(state, nowMillis),
            outcomes.refused(state, nowMillis),
            disks,
            nowMillis);
    if (!reconciled.isDone(state, situation)) {
      List<ClusterEvent> events = policies.reconciler().reconcile(state, situation);
      reconciled.done(state, situation, events);
      now.append(events);
    }
    now.append(floodStage.changes(now.state(), disks));
    now.appendSnapshotIfDue();
    shortening.removeWhatIsSuperfluous();
  }

  private void noticeTerm(ClusterState state) {
    campaign.seen(state.leaderTerm());
    LeaderTerm now = leading;
    if (now != null && state.leaderTerm() > now.writer().term()) {
      stepDown(now, "term " + state.leaderTerm() + " belongs to " + state.leaderNodeId());
    }
  }

  private void lead(LeaderTerm own) {
    leading = own;
    policies.leases().lead(loop.nowMillis());
    try {
      if (own.state().version() == 0) {
        own.append(List.of(clusterFormed()));
      }
      govern(own);
    } catch (ApiException e) {
      stepDown(own, e.getMessage());
    }
  }

  /** A new cluster has no member of an older release, so it begins at the newest level. */
  private ClusterEvent clusterFormed() {
    List<ClusterEvent> events = new ArrayList<>();
    events.add(new ClusterEvent.ClusterFormed(identity.clusterName(), identity.ids().get()));
    if (identity.newestFeatureLevel() > FeatureLevels.FIRST) {
      events.add(new ClusterEvent.FeatureLevelRaised(identity.newestFeatureLevel()));
    }
    return ClusterEvent.together(events);
  }

  private void stepDown(LeaderTerm now, String reason) {
    LOG.warn("no longer leading in term {}: {}", now.writer().term(), reason);
    leading = null;
    policies.checks().forget();
    now.end(reason);
  }

  @Override
  public void close() {
    loop.execute(() -> {
      LeaderTerm now = leading;
      if (now != null) {
        stepDown(now, "this process is stopping");
      }
    });
    loop.close();
  }
}
