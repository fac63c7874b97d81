package io.varve.host;

import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterView;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Relocation;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
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
 * <p>It acts only once the state knows this process: before that it is still reading the past, in
 * which copies may have stood elsewhere. A primary's term that was given before this process joined
 * may have been used by the process before it; the leader gives another. The copies of a closed
 * index are closed and keep their folders.
 *
 * <p>INVARIANT: a folder is deleted only when its index is gone, or all copies of its shard that
 * take part in writes serve and none of them is here. Until then it may be all that is left of
 * operations that the log no longer has. An index without writers keeps the folders of its former
 * writers if neither the log nor a segment store has everything. Folders that are kept are looked
 * at again at each change of the state.
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
  private final Map<ShardId, Long> termsAtJoin = new HashMap<>();

  /**
   * Shards that have a folder here and nothing that holds it open: of closed indices, of copies
   * that went elsewhere and are not started there, and those found when this process joined.
   */
  private final Set<ShardId> folders = new HashSet<>();

  private final Set<ShardId> deleting = new HashSet<>();

  private volatile Consumer<ShardCopy> beforeClosing = _ -> {};
  private ClusterView.@Nullable Registration registration;
  private boolean joined;
  private boolean closed;

  public CopyHost(NodeContext node, CopyFactory factory, ProgressPublisher progress) {
    this.node = node;
    this.factory = factory;
    this.progress = progress;
  }

  /** Told each copy before it closes; set before the start. */
  public void beforeClosing(Consumer<ShardCopy> listener) {
    beforeClosing = listener;
  }

  public void start() {
    registration = node.cluster().listen(this::changed);
  }

  @Override
  public Optional<ShardCopy> copy(ShardId shard) {
    return Optional.ofNullable(hosted.get(shard)).flatMap(HostedCopy::copy);
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

  private void oneMore() {
    opening.lock();
    try {
      opened.signalAll();
    } finally {
      opening.unlock();
    }
  }

  /** A copy has read a damaged file: it serves no more, and its place is given anew. */
  public void damaged(ShardCopy copy, String reason) {
    HostedCopy place = hosted.get(copy.shard());
    if (place != null) {
      place.damaged(copy, reason);
    } else {
      Path folder = Folders.of(node.settings().data(), copy.shard());
      suspicions.suspect(Folders.segments(folder), reason);
    }
  }

  /** Those that are open now. */
  public List<ShardCopy> copies() {
    return hosted.values().stream().flatMap(place -> place.copy().stream()).toList();
  }

  private synchronized void changed(ClusterState state) {
    if (closed || !knowsThisProcess(state)) {
      return;
    }
    if (!joined) {
      joined = true;
      join(state);
    }
    Map<ShardId, HostedCopy.Goal> goals = goals(state);
    goals.forEach((shard, goal) -> {
      HostedCopy place = hosted.get(shard);
      if (place != null) {
        place.want(goal);
      } else if (!deleting.contains(shard)) {
        host(shard, goal);
      }
    });
    hosted.forEach((shard, place) -> {
      if (!goals.containsKey(shard)) {
        place.want(new HostedCopy.Goal.Nothing(isDeletable(state, shard)));
      }
    });
    deleteGone(state, goals.keySet());
  }

  /** Folders that lost their index, or its copy here, while nothing held them open. */
  private void deleteGone(ClusterState state, Set<ShardId> wanted) {
    folders.addAll(restingHere(state));
    List<ShardId> gone =
        folders.stream()
            .filter(shard -> !hosted.containsKey(shard) && !wanted.contains(shard))
            .filter(shard -> !deleting.contains(shard))
            .filter(shard -> isDeletable(state, shard))
            .toList();
    if (!gone.isEmpty()) {
      gone.forEach(folders::remove);
      deleting.addAll(gone);
      node.blocking().execute(() -> delete(gone));
    }
  }

  /** A copy that is wanted there meanwhile is hosted afterwards. */
  private void delete(List<ShardId> gone) {
    gone.forEach(shard -> Folders.delete(Folders.of(node.settings().data(), shard)));
    synchronized (this) {
      deleting.removeAll(gone);
      changed(node.cluster().current());
    }
  }

  private Set<ShardId> restingHere(ClusterState state) {
    Set<ShardId> here = new HashSet<>();
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.closed() ? index.shards() : List.<ShardRouting>of()) {
        if (shard.everywhere().stream().anyMatch(copy -> copy.isOn(node.identity().nodeId()))) {
          here.add(shard.shard());
        }
      }
    }
    return here;
  }

  private boolean knowsThisProcess(ClusterState state) {
    return state
        .node(node.identity().nodeId())
        .map(NodeInfo::incarnation)
        .filter(node.identity().incarnation()::equals)
        .isPresent();
  }

  private void join(ClusterState state) {
    for (IndexMetadata index : state.indices().values()) {
      for (ShardRouting shard : index.shards()) {
        termsAtJoin.put(shard.shard(), shard.newestTerm());
      }
    }
    if (ClusterMark.isOf(node.settings().data(), state.clusterUuid())) {
      folders.addAll(Folders.present(node.settings().data()));
    } else {
      LOG.error(
          "{} holds data of another cluster; nothing of it is deleted", node.settings().data());
    }
  }

  private Map<ShardId, HostedCopy.Goal> goals(ClusterState state) {
    Map<ShardId, HostedCopy.Goal> goals = new HashMap<>();
    for (IndexMetadata index : state.indices().values()) {
      if (index.closed()) {
        continue;
      }
      for (ShardRouting shard : index.shards()) {
        for (CopyRouting copy : shard.copies()) {
          if (copy.isOn(node.identity().nodeId())) {
            goals.put(shard.shard(), goal(shard, copy));
          }
        }
        for (Relocation moving : shard.relocations()) {
          if (moving.target().isOn(node.identity().nodeId())) {
            goals.put(shard.shard(), goal(shard, moving));
          }
        }
      }
    }
    return goals;
  }

  private HostedCopy.Goal goal(ShardRouting shard, CopyRouting copy) {
    return goal(shard, copy, copy.primary() ? shard.primaryTerm() : 0);
  }

  private HostedCopy.Goal goal(ShardRouting shard, Relocation moving) {
    return goal(shard, moving.target(), moving.handOverTerm());
  }

  private HostedCopy.Goal goal(ShardRouting shard, CopyRouting copy, long term) {
    boolean used = term > 0 && term <= termsAtJoin.getOrDefault(shard.shard(), 0L);
    return new HostedCopy.Goal.Copy(copy.copyId(), term > 0, term, used, copy.started());
  }

  private boolean isDeletable(ClusterState state, ShardId shard) {
    Optional<ShardRouting> found = state.shard(shard);
    if (found.isEmpty()) {
      return true;
    }
    ShardRouting routing = found.get();
    if (routing.everywhere().stream().anyMatch(copy -> copy.isOn(node.identity().nodeId()))) {
      return false;
    }
    if (!routing.released()) {
      return routing.writeCopies().stream().allMatch(state::active);
    }
    Map<String, String> settings =
        state.index(shard.indexUuid()).map(IndexMetadata::settings).orElse(Map.of());
    boolean held =
        IndexSettings.isRemoteBacked(settings) || !IndexSettings.logRetention(settings).shortened();
    return held && routing.copies().stream().allMatch(state::active);
  }

  private void host(ShardId shard, HostedCopy.Goal goal) {
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
                oneMore();
              }

              @Override
              public void closing(ShardCopy copy) {
                beforeClosing.accept(copy);
              }

              @Override
              public void ended() {
                node.blocking().execute(() -> CopyHost.this.ended(shard));
              }
            });
    hosted.put(shard, place);
    place.start();
  }

  /** The place is empty; if it is wanted again meanwhile, it is taken again. */
  private synchronized void ended(ShardId shard) {
    hosted.remove(shard);
    folders.add(shard);
    if (!closed) {
      changed(node.cluster().current());
    }
  }

  /** Closes all copies, side by side, and keeps their folders. */
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
    places.forEach(place -> place.want(new HostedCopy.Goal.Nothing(false)));
    try {
      for (HostedCopy place : places) {
        if (!place.awaitEnd(Duration.ofSeconds(8))) {
          LOG.warn("a copy did not close in time; what it lacks is replayed at the next start");
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
