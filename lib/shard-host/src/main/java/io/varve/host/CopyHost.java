package io.varve.host;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.events.ShardId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Holds the copies that the cluster state places on this node.
 *
 * <p>It acts only once the state contains this process: earlier states are outdated, and may place
 * the copies on other nodes. The copies of a closed index are closed and keep their folders. Kept
 * folders are checked again at each change of the state.
 */
public final class CopyHost implements HostedCopies, AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CopyHost.class);

  private final NodeContext node;
  private final CopyFactory factory;
  private final ProgressPublisher progress;
  private final Suspicions suspicions = new Suspicions();
  private final Map<ShardId, HostedCopy> hosted = new ConcurrentHashMap<>();
  private final ReentrantLock opening = new ReentrantLock();
  private final Condition opened = opening.newCondition();

  /**
   * Shards with a folder on this node that no open copy uses: folders of closed indices, of copies
   * that moved to other nodes and are not started there, and folders found when this process
   * joined.
   */
  private final Set<ShardId> folders = new HashSet<>();

  private final Set<ShardId> deleting = new HashSet<>();

  private volatile Consumer<ShardCopy> beforeClosing = _ -> {};
  private volatile CopyEvents events = CopyEvents.NONE;
  private ClusterView.@Nullable Registration registration;
  private final FollowedGoals goals;
  private boolean joined;
  private boolean closed;

  public CopyHost(NodeContext node, CopyFactory factory, ProgressPublisher progress) {
    this.node = node;
    this.factory = factory;
    this.progress = progress;
    this.goals = new FollowedGoals(node.identity().nodeId());
  }

  /** The listener is called with each copy before it closes; set before the start. */
  public void beforeClosing(Consumer<ShardCopy> listener) {
    beforeClosing = listener;
  }

  /** Passes the events of all copies to the listener from now on. */
  public void reportTo(CopyEvents listener) {
    events = listener;
  }

  public void start() {
    registration = node.cluster().listen(this::changed);
  }

  @Override
  public Optional<ShardCopy> copy(ShardId shard) {
    return Optional.ofNullable(hosted.get(shard)).flatMap(HostedCopy::copy);
  }

  @Override
  public boolean isClosing(ShardId shard) {
    HostedCopy place = hosted.get(shard);
    return place != null && place.isClosing();
  }

  @Override
  public Optional<ShardCopy> await(ShardId shard, long waitMillis) throws InterruptedException {
    if (waitMillis == 0) {
      return copy(shard);
    }
    long leftNanos = TimeUnit.MILLISECONDS.toNanos(waitMillis);
    opening.lock();
    try {
      Optional<ShardCopy> found = opened(shard);
      while (found.isEmpty() && leftNanos > 0) {
        leftNanos = opened.awaitNanos(leftNanos);
        found = opened(shard);
      }
      return found;
    } finally {
      opening.unlock();
    }
  }

  private Optional<ShardCopy> opened(ShardId shard) {
    return copy(shard).filter(HostedCopies::isOpen);
  }

  private void signalOpened() {
    opening.lock();
    try {
      opened.signalAll();
    } finally {
      opening.unlock();
    }
  }

  /** A copy has read a damaged file: it is closed, and the leader allocates it again. */
  public void damaged(ShardCopy copy, String reason) {
    HostedCopy place = hosted.get(copy.shard());
    if (place != null) {
      place.damaged(copy, reason);
    } else {
      Path folder = Folders.of(node.settings().data(), copy.shard());
      suspicions.suspect(Folders.segments(folder), reason);
    }
  }

  /** The copies that are open now. */
  public List<ShardCopy> copies() {
    return hosted.values().stream().flatMap(place -> place.copy().stream()).toList();
  }

  private synchronized void changed(ClusterState state) {
    if (closed || !node.identity().isMemberOf(state)) {
      return;
    }
    if (!joined) {
      joined = true;
      join(state);
    }
    goals.follow(state);
    Map<ShardId, Goal> wanted = goals.wanted();
    wanted.forEach((shard, goal) -> {
      HostedCopy place = hosted.get(shard);
      if (place != null) {
        place.want(goal);
      } else if (!deleting.contains(shard)) {
        host(shard, goal);
      }
    });
    hosted.forEach((shard, place) -> {
      if (!wanted.containsKey(shard)) {
        place.want(new Goal.Nothing(goals.isDeletable(shard)));
      }
    });
    deleteGone(wanted.keySet());
  }

  /** Deletes unused folders whose index is deleted, or whose copy is no longer placed here. */
  private void deleteGone(Set<ShardId> wanted) {
    folders.addAll(goals.closedHere());
    List<ShardId> gone =
        folders.stream()
            .filter(shard -> !hosted.containsKey(shard) && !wanted.contains(shard))
            .filter(shard -> !deleting.contains(shard))
            .filter(goals::isDeletable)
            .toList();
    if (!gone.isEmpty()) {
      gone.forEach(folders::remove);
      deleting.addAll(gone);
      node.blocking().execute(() -> delete(gone));
    }
  }

  /** A copy that is assigned during the deletion is hosted afterwards. */
  private void delete(List<ShardId> gone) {
    gone.forEach(shard -> Folders.delete(Folders.of(node.settings().data(), shard)));
    synchronized (this) {
      deleting.removeAll(gone);
      changed(node.cluster().current());
    }
  }

  private void join(ClusterState state) {
    goals.join(state);
    if (ClusterMark.isOf(node.settings().data(), state.clusterUuid())) {
      folders.addAll(Folders.present(node.settings().data()));
    } else {
      LOG.error("{} holds data of another cluster, which is not deleted", node.settings().data());
    }
  }

  private void host(ShardId shard, Goal goal) {
    HostedCopy place =
        new HostedCopy(
            node,
            shard,
            goal,
            factory,
            progress,
            suspicions,
            new HostedCopy.Watcher() {
              @Override
              public void opened() {
                signalOpened();
              }

              @Override
              public void closing(ShardCopy copy) {
                beforeClosing.accept(copy);
              }

              @Override
              public CopyEvents events() {
                return events;
              }

              @Override
              public void ended() {
                node.blocking().execute(() -> CopyHost.this.ended(shard));
              }
            },
            new Setbacks(node.clock()));
    hosted.put(shard, place);
    place.start();
  }

  /** The place has closed; a copy that was assigned to it in the meantime is hosted. */
  private synchronized void ended(ShardId shard) {
    hosted.remove(shard);
    folders.add(shard);
    if (!closed) {
      changed(node.cluster().current());
    }
  }

  /** Closes all copies concurrently and keeps their folders. */
  @Override
  public void close() {
    List<HostedCopy> places;
    synchronized (this) {
      closed = true;
      places = List.copyOf(hosted.values());
    }
    if (registration != null) {
      registration.close();
    }
    places.forEach(place -> place.want(new Goal.Nothing(false)));
    Duration limit = node.settings().limits().closing().copy();
    try {
      for (HostedCopy place : places) {
        if (!place.awaitEnd(limit)) {
          LOG.warn(
              "a copy did not close in time; the next start replays what it has not committed");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
