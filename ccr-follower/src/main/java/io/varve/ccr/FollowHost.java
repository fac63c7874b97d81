package io.varve.ccr;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.PullerAssignment;
import io.varve.events.ShardId;
import io.varve.host.NodeContext;
import io.varve.process.EssentialThreads;
import io.varve.process.Ticker;
import io.varve.rpc.PullerStats;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a puller for each shard that {@link PullerAssignment} assigns to this node, and closes those
 * of shards that are assigned to other nodes. One thread starts and closes pullers, in the order of
 * the cluster states.
 *
 * <pre>
 *   no puller -> running     the shard is assigned to this node, and its leader has seeds
 *   running   -> no puller   another assignment, or none; the lease is released
 *                            if the index is no longer a follower
 * </pre>
 *
 * A puller that could not be started or closed does not delay the others and is retried after a
 * pause.
 */
public final class FollowHost implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FollowHost.class);
  private static final String NAME = "ccr-host";
  private static final long RETRY_MILLIS = 1_000;

  /** Pulls the operations of one shard until it is closed. */
  interface Puller extends AutoCloseable {

    PullerStats stats();

    /**
     * Releases the lease on the leader, because the index is no longer a follower. Called after
     * closing.
     */
    void release();

    @Override
    void close();
  }

  /** Starts pullers. */
  interface Pullers {
    Puller start(ShardId shard, FollowRelation follow);
  }

  private record Running(FollowRelation follow, Puller puller) {}

  private final String nodeId;
  private final ClusterView cluster;
  private final Pullers pullers;
  private final Executor releases;
  private final long retryMillis;
  private final Map<ShardId, FollowRelation> wanted = new HashMap<>();
  private final Map<ShardId, Running> running = new HashMap<>();
  private final Thread thread;
  private ClusterView.@Nullable Registration registration;
  private boolean changed;
  private boolean closed;

  public FollowHost(NodeContext node) {
    this(node.identity().nodeId(), node.cluster(), pullers(node), node.blocking(), RETRY_MILLIS);
  }

  /**
   * @param releases runs releases of leases, which may block
   * @param retryMillis pause before a puller that could not be started or closed is retried
   */
  FollowHost(
      String nodeId, ClusterView cluster, Pullers pullers, Executor releases, long retryMillis) {
    this.releases = releases;
    this.nodeId = nodeId;
    this.cluster = cluster;
    this.pullers = pullers;
    this.retryMillis = retryMillis;
    this.thread =
        Thread.ofVirtual()
            .name(NAME)
            .unstarted(EssentialThreads.ofThisProcess().body(NAME, this::run));
  }

  private static Pullers pullers(NodeContext node) {
    LeaderConnections leaders = new LeaderConnections(node);
    InstantSource clock = new SteadyTime(node.clock(), Ticker.SYSTEM);
    return (shard, follow) -> {
      LeaderConnections.LeaderIndex leader = leaders.index(shard.indexUuid(), follow);
      return new ShardPuller(
          shard,
          follow,
          new FollowerPrimary(node.http(), node.cluster(), shard),
          () -> leader.open(shard.number()),
          leader,
          clock);
    };
  }

  public void start() {
    thread.start();
    registration = cluster.listen(this::changed);
  }

  private synchronized void changed(ClusterState state) {
    Map<ShardId, FollowRelation> now = new HashMap<>();
    Set<String> remotes = ClusterSettings.remoteSeeds(state).keySet();
    for (IndexMetadata index : state.indices().values()) {
      FollowRelation follow = index.follow();
      if (follow != null && remotes.contains(follow.remoteCluster())) {
        FollowRelation pulled = follow.forPullers();
        own(state, index).forEach(shard -> now.put(shard, pulled));
      }
    }
    if (!now.equals(wanted)) {
      wanted.clear();
      wanted.putAll(now);
      changed = true;
      notifyAll();
    }
  }

  private List<ShardId> own(ClusterState state, IndexMetadata index) {
    List<String> nodes = PullerAssignment.nodes(state, index);
    return IntStream.range(0, nodes.size())
        .filter(number -> nodes.get(number).equals(nodeId))
        .mapToObj(number -> new ShardId(index.uuid(), number))
        .toList();
  }

  private void run() {
    try {
      boolean done = true;
      for (var goal = awaitGoal(done); goal != null; goal = awaitGoal(done)) {
        done = bringTo(goal);
      }
    } catch (InterruptedException e) {
      LOG.debug("following ends", e);
    }
  }

  /**
   * The next goal, or the same one after a pause if it is not reached; null once this is closed.
   */
  private synchronized @Nullable Map<ShardId, FollowRelation> awaitGoal(boolean isReached)
      throws InterruptedException {
    boolean due = false;
    while (!changed && !closed && !due) {
      wait(isReached ? 0 : retryMillis);
      due = !isReached;
    }
    changed = false;
    return closed ? null : new HashMap<>(wanted);
  }

  /** Whether exactly the wanted pullers run now. */
  private boolean bringTo(Map<ShardId, FollowRelation> goal) {
    runningNow()
        .forEach((shard, follow) -> {
          if (!follow.equals(goal.get(shard))) {
            step(() -> end(shard));
          }
        });
    Map<ShardId, FollowRelation> left = runningNow();
    goal.forEach((shard, follow) -> {
      if (!left.containsKey(shard)) {
        step(() -> begin(shard, follow));
      }
    });
    return runningNow().equals(goal);
  }

  private static void step(Runnable step) {
    EssentialThreads.ofThisProcess().step(NAME, step);
  }

  private synchronized Map<ShardId, FollowRelation> runningNow() {
    Map<ShardId, FollowRelation> follows = new HashMap<>();
    running.forEach((shard, one) -> follows.put(shard, one.follow()));
    return follows;
  }

  private void end(ShardId shard) {
    Puller puller;
    synchronized (this) {
      puller = Objects.requireNonNull(running.get(shard)).puller();
    }
    puller.close();
    synchronized (this) {
      running.remove(shard);
    }
    if (!follows(shard)) {
      // The leader's cluster may not answer; other pullers must not wait for it.
      releases.execute(puller::release);
    }
  }

  /** Whether the index is still a follower, so that a node pulls it now or will later. */
  private boolean follows(ShardId shard) {
    return cluster
        .current()
        .index(shard.indexUuid())
        .map(IndexMetadata::follow)
        .filter(follow -> !follow.hasSuccessor())
        .isPresent();
  }

  private synchronized void begin(ShardId shard, FollowRelation follow) {
    if (!closed) {
      running.put(shard, new Running(follow, pullers.start(shard, follow)));
    }
  }

  public synchronized List<PullerStats> stats() {
    return running.values().stream().map(one -> one.puller().stats()).toList();
  }

  @Override
  public void close() {
    if (registration != null) {
      registration.close();
    }
    List<Running> left;
    synchronized (this) {
      closed = true;
      notifyAll();
      left = List.copyOf(running.values());
    }
    left.forEach(one -> one.puller().close());
  }
}
