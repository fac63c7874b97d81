package io.varve.coordinator.follow;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.FailbackLeases;
import io.varve.control.command.FollowerMetadata;
import io.varve.control.command.FollowerReopening;
import io.varve.control.command.FollowerReplacement;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.process.Deadline;
import io.varve.process.EssentialThreads;
import io.varve.rpc.ApiException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the metadata of follower indices equal to that of their leader indices, and follows new
 * indices by the auto-follow patterns: it has one tail per followed cluster ({@link RemoteTails}).
 * For each new state of either cluster, it executes the commands that {@link FollowerMetadata} and
 * {@link io.varve.control.command.AutoFollowPlan} derive. Only the leading coordinator does this;
 * the others have no tails.
 *
 * <p>It also reopens copies after a change of static settings ({@link FollowerReopening}), and
 * replaces followers that lost their leaders' history by their successors ({@link
 * FollowerReplacement}), and releases leases that a failback no longer needs ({@link
 * FailbackLeases}).
 *
 * <p>A tail that cannot be opened, a lost tail and a failed command are retried after a pause. All
 * commands are executed by one thread, which waits for no other cluster. Commands are idempotent.
 */
final class FollowedClusters implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FollowedClusters.class);
  private static final String NAME = "followed-clusters";
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
  static final long RETRY_MILLIS = 5_000;

  private final ClusterAccess cluster;
  private final AutoFollower autoFollower;
  private final long retryMillis;
  private final Thread thread;

  // Used by the thread only.
  private final RemoteTails tails;

  /** By uuid: the end of the pause before a replaced follower is deleted. */
  private final Map<String, Deadline> pauses = new HashMap<>();

  private boolean failed;
  private boolean replacing;

  private ClusterView.@Nullable Registration registration;
  private ClusterState own = ClusterState.EMPTY;
  private boolean changed;
  private boolean closed;

  /**
   * @param retryMillis the pause before a failed step is retried
   */
  FollowedClusters(
      ClusterAccess cluster, LeaderTail.Opener opener, AutoFollowStats stats, long retryMillis) {
    this.cluster = cluster;
    this.autoFollower = new AutoFollower(cluster, stats);
    this.retryMillis = retryMillis;
    this.tails = new RemoteTails(opener, this::pause, autoFollower::unreachable, this::changed);
    this.thread =
        Thread.ofVirtual()
            .name(NAME)
            .unstarted(EssentialThreads.ofThisProcess().body(NAME, this::run));
  }

  void start() {
    thread.start();
    registration = cluster.listen(this::changed);
  }

  private synchronized void changed(ClusterState state) {
    own = state;
    changed();
  }

  private synchronized void changed() {
    changed = true;
    notifyAll();
  }

  private void run() {
    try {
      for (var state = awaitState(); state != null; state = awaitState()) {
        ClusterState now = state;
        failed = false;
        step(() -> endReplacements(now));
        step(() -> reopenCopies(now));
        step(() -> stopUnreadable(now));
        step(() -> failed |= !tails.bringTo(wanted(now)));
        tails
            .open()
            .forEach(one -> {
              step(() -> update(one, now));
              step(() -> autoFollow(one));
            });
      }
    } catch (InterruptedException e) {
      LOG.debug("the metadata of followers is no longer updated", e);
    }
    await(tails.close());
  }

  private static void await(List<Thread> ending) {
    try {
      for (Thread one : ending) {
        one.join(CLOSE_LIMIT);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Waits for a change, or for the pause if a retry is due, and returns our state; null once this
   * is closed.
   */
  private synchronized @Nullable ClusterState awaitState() throws InterruptedException {
    boolean due = false;
    while (!changed && !closed && !due) {
      boolean again = failed || replacing;
      wait(again ? retryMillis : 0);
      due = again;
    }
    changed = false;
    return closed ? null : own;
  }

  private void step(Runnable step) {
    EssentialThreads.ofThisProcess().step(NAME, step);
  }

  private Map<String, FollowedCluster> wanted(ClusterState state) {
    return leads(state) ? FollowedCluster.of(state) : Map.of();
  }

  private boolean leads(ClusterState state) {
    return state.leaderNodeId().equals(cluster.localNodeId());
  }

  /** A replaced follower is deleted after a pause, in which its searches end. */
  private void endReplacements(ClusterState state) {
    replacing = false;
    if (!leads(state)) {
      pauses.clear();
      return;
    }
    FollowerReplacement.due(state).forEach(this::change);
    List<ClusterCommand.EndReplacement> replaced = FollowerReplacement.replaced(state);
    pauses.keySet().retainAll(replaced.stream().map(one -> one.indexUuid()).toList());
    for (ClusterCommand.EndReplacement one : replaced) {
      if (pauses.computeIfAbsent(one.indexUuid(), _ -> pause()).isOver()) {
        change(one);
      } else {
        replacing = true;
      }
    }
  }

  private void reopenCopies(ClusterState state) {
    if (leads(state)) {
      FollowerReopening.due(state).forEach(this::change);
    }
  }

  private Deadline pause() {
    return cluster.deadline(Duration.ofMillis(retryMillis));
  }

  /** Must be called before the lost tails are removed. */
  private void stopUnreadable(ClusterState state) {
    if (leads(state)) {
      tails
          .unreadable()
          .forEach((alias, reason) ->
              FollowerMetadata.stops(state, alias, reason).forEach(this::change));
    }
  }

  private void update(RemoteTails.Open one, ClusterState state) {
    Optional<ClusterState> leaders = one.tail().state();
    if (leaders.isEmpty()) {
      return;
    }
    String alias = one.cluster().alias();
    FollowerMetadata.stops(state, alias, leaders.get(), one.tail().skipped()).forEach(this::change);
    FollowerMetadata.updates(state, alias, leaders.get()).forEach(this::change);
    FailbackLeases.unneeded(state, alias, leaders.get()).forEach(one.tail()::release);
  }

  private void change(ClusterCommand command) {
    try {
      cluster.change(command, COMMAND_TIMEOUT);
    } catch (ApiException e) {
      failed = true;
      LOG.warn("cannot update a follower, retrying {}: {}", command, e.toString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void autoFollow(RemoteTails.Open one) {
    try {
      Optional<ClusterState> leaders = one.tail().state();
      if (leaders.isPresent() && !autoFollower.update(one.cluster().alias(), leaders.get())) {
        failed = true;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** In the form of {@code GET /_ccr/stats}. */
  Map<String, Object> autoFollowStats() {
    return autoFollower.stats();
  }

  @Override
  public void close() {
    if (registration != null) {
      registration.close();
    }
    synchronized (this) {
      closed = true;
      notifyAll();
    }
    thread.interrupt();
    try {
      thread.join(CLOSE_LIMIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
