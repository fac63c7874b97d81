package io.varve.ccr;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.IndexMetadata;
import io.varve.events.ShardId;
import io.varve.node.NodeContext;
import io.varve.process.EssentialThreads;
import io.varve.rpc.PullerStats;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a puller for each shard of each index that the cluster state assigns to this node, and ends
 * those that it assigns elsewhere. Starting and ending happen on one thread of its own, in the
 * order of the states.
 */
public final class FollowHost implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FollowHost.class);

  private record Pull(ShardId shard, long assignment, IndexMetadata.Follow follow) {}

  private static final String NAME = "ccr-host";

  private final NodeContext node;
  private final LeaderConnections leaders;
  private final Map<ShardId, Pull> wanted = new HashMap<>();
  private final Map<ShardId, ShardPuller> running = new HashMap<>();
  private final Thread thread;
  private ClusterView.@Nullable Registration registration;
  private boolean changed;
  private boolean closed;

  public FollowHost(NodeContext node) {
    this.node = node;
    this.leaders = new LeaderConnections(node);
    this.thread =
        Thread.ofVirtual()
            .name(NAME)
            .unstarted(EssentialThreads.ofThisProcess().body(NAME, this::run));
  }

  public void start() {
    thread.start();
    registration = node.cluster().listen(this::changed);
  }

  private synchronized void changed(ClusterState state) {
    Map<ShardId, Pull> now = new HashMap<>();
    for (IndexMetadata index : state.indices().values()) {
      IndexMetadata.Follow follow = index.follow();
      boolean ours = follow != null && node.identity().nodeId().equals(follow.nodeId());
      boolean reachable =
          follow != null && ClusterSettings.remoteSeeds(state).containsKey(follow.remoteCluster());
      if (ours && reachable) {
        index
            .shards()
            .forEach(s -> now.put(s.shard(), new Pull(s.shard(), follow.assignment(), follow)));
      }
    }
    if (!now.equals(wanted)) {
      wanted.clear();
      wanted.putAll(now);
      changed = true;
      notifyAll();
    }
  }

  private void run() {
    Map<ShardId, Pull> served = new HashMap<>();
    try {
      while (true) {
        Map<ShardId, Pull> goal = awaitChange();
        if (goal == null) {
          return;
        }
        EssentialThreads.ofThisProcess()
            .step(
                NAME,
                () -> {
                  end(served, goal);
                  begin(served, goal);
                });
      }
    } catch (InterruptedException e) {
      LOG.debug("following ends", e);
    }
  }

  private synchronized @Nullable Map<ShardId, Pull> awaitChange() throws InterruptedException {
    while (!changed && !closed) {
      wait();
    }
    changed = false;
    return closed ? null : new HashMap<>(wanted);
  }

  private void end(Map<ShardId, Pull> served, Map<ShardId, Pull> goal) {
    for (Pull pull : List.copyOf(served.values())) {
      if (!pull.equals(goal.get(pull.shard()))) {
        served.remove(pull.shard());
        ShardPuller puller;
        synchronized (this) {
          puller = running.remove(pull.shard());
        }
        if (puller != null) {
          puller.close();
          if (!follows(pull.shard())) {
            puller.release();
          }
        }
      }
    }
  }

  /** Somebody goes on pulling, here or elsewhere, now or later. */
  private boolean follows(ShardId shard) {
    return node.cluster()
        .current()
        .index(shard.indexUuid())
        .filter(index -> index.follow() != null)
        .isPresent();
  }

  private void begin(Map<ShardId, Pull> served, Map<ShardId, Pull> goal) {
    for (Pull pull : goal.values()) {
      if (served.putIfAbsent(pull.shard(), pull) == null) {
        LeaderConnections.LeaderIndex leader =
            leaders.index(pull.shard().indexUuid(), pull.follow());
        ShardPuller puller =
            new ShardPuller(
                pull.shard(),
                pull.assignment(),
                new FollowerPrimary(node.http(), node.cluster(), pull.shard()),
                () -> leader.open(pull.shard().number()),
                leader::mappingUpTo,
                node.clock());
        synchronized (this) {
          running.put(pull.shard(), puller);
        }
      }
    }
  }

  public synchronized List<PullerStats> stats() {
    return running.values().stream().map(ShardPuller::stats).toList();
  }

  @Override
  public void close() {
    if (registration != null) {
      registration.close();
    }
    List<ShardPuller> pullers;
    synchronized (this) {
      closed = true;
      notifyAll();
      pullers = List.copyOf(running.values());
    }
    pullers.forEach(ShardPuller::close);
  }
}
