package io.varve.coordinator.follow;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.FollowerMetadata;
import io.varve.coordinator.rest.ClusterAccess;
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
 * Keeps the metadata of follower indices equal to that of their leader indices: one tail per
 * followed cluster, and for each new state, theirs or ours, the commands that {@link
 * FollowerMetadata} derives. The leading coordinator does this; the others have no tails.
 *
 * <pre>
 *   no tail -> tail      this coordinator leads, and an active follower names the cluster
 *   tail    -> no tail   otherwise, or the cluster has other seeds, or the tail is lost
 * </pre>
 *
 * A tail that cannot be opened and a command that fails hold up no other; they are tried again
 * after a pause. Everything is done on one thread; a repeated command changes nothing.
 */
final class FollowedClusters implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FollowedClusters.class);
  private static final String NAME = "followed-clusters";
  private static final Duration COMMAND_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
  static final long RETRY_MILLIS = 5_000;

  private record Tailed(FollowedCluster cluster, LeaderTail tail) {}

  private final ClusterAccess cluster;
  private final LeaderTail.Opener opener;
  private final long retryMillis;
  private final Thread thread;

  // Used by the thread only.
  private final Map<String, Tailed> tails = new HashMap<>();
  private boolean failed;

  private ClusterView.@Nullable Registration registration;
  private ClusterState own = ClusterState.EMPTY;
  private boolean changed;
  private boolean closed;

  /**
   * @param retryMillis the pause before what failed is tried again
   */
  FollowedClusters(ClusterAccess cluster, LeaderTail.Opener opener, long retryMillis) {
    this.cluster = cluster;
    this.opener = opener;
    this.retryMillis = retryMillis;
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
        Map<String, FollowedCluster> wanted = wanted(now);
        step(() -> closeOthers(wanted));
        wanted.values().forEach(one -> step(() -> tail(one)));
        List.copyOf(tails.values()).forEach(one -> step(() -> update(one, now)));
      }
    } catch (InterruptedException e) {
      LOG.debug("the metadata of followers is no longer updated", e);
    }
    tails.values().forEach(one -> one.tail().close());
  }

  /** Our state once anything changed, or after the pause if something failed; null at the end. */
  private synchronized @Nullable ClusterState awaitState() throws InterruptedException {
    boolean due = false;
    while (!changed && !closed && !due) {
      wait(failed ? retryMillis : 0);
      due = failed;
    }
    changed = false;
    return closed ? null : own;
  }

  private void step(Runnable step) {
    EssentialThreads.ofThisProcess().step(NAME, step);
  }

  private Map<String, FollowedCluster> wanted(ClusterState state) {
    return state.leaderNodeId().equals(cluster.localNodeId())
        ? FollowedCluster.of(state)
        : Map.of();
  }

  private void closeOthers(Map<String, FollowedCluster> wanted) {
    tails
        .values()
        .removeIf(one -> {
          FollowedCluster goal = wanted.get(one.cluster().alias());
          boolean stays = goal != null && goal.isReachedLike(one.cluster()) && !one.tail().isLost();
          if (!stays) {
            one.tail().close();
          }
          return !stays;
        });
  }

  private void tail(FollowedCluster goal) {
    if (tails.containsKey(goal.alias())) {
      return;
    }
    try {
      tails.put(goal.alias(), new Tailed(goal, opener.open(goal, this::changed)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      failed = true;
      LOG.warn("cannot read the metadata of [{}], retrying: {}", goal.alias(), e.toString());
    }
  }

  private void update(Tailed one, ClusterState state) {
    Optional<ClusterState> leaders = one.tail().state();
    if (leaders.isEmpty()) {
      return;
    }
    for (ClusterCommand.UpdateFollower update :
        FollowerMetadata.updates(state, one.cluster().alias(), leaders.get())) {
      try {
        cluster.change(update, COMMAND_TIMEOUT);
      } catch (ApiException e) {
        failed = true;
        LOG.warn("cannot update follower {}, retrying: {}", update.indexUuid(), e.toString());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
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
