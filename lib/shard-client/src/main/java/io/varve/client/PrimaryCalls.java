package io.varve.client;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.ClusterStateSource;
import io.varve.cluster.ClusterView;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * This coordinator's pending calls to primaries. A primary may hang (a stopped process, a lost
 * host). The cluster then assigns another primary, and the log accepts no further records of the
 * former one.
 *
 * <pre>
 *   PENDING     the cluster state names the primary to which the call was sent
 *   SUPERSEDED  it names another one: the former one has {@link ClusterSettings#SUPERSEDED_GRACE}
 *               to answer, which takes a healthy one milliseconds
 *   ABORTED     that time is over
 * </pre>
 *
 * <p>A call registers before it is sent and unregisters when it has ended. Each new cluster state
 * is compared with the pending calls: calls neither poll nor have threads or timers of their own.
 * Thread-safe.
 */
public final class PrimaryCalls implements AutoCloseable {

  private final ClusterStateSource cluster;
  private final ScheduledExecutorService timer;
  private final Map<ShardId, Set<Pending>> pending = new ConcurrentHashMap<>();
  private final ClusterView.Registration listening;

  public PrimaryCalls(ClusterStateSource cluster) {
    this.cluster = cluster;
    this.timer =
        Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("superseded-primaries").daemon().factory());
    this.listening = cluster.listen(this::follow);
  }

  /** One call; closed when it has ended. */
  public final class Pending implements AutoCloseable {

    private final ShardId shard;
    private final Predicate<ShardRouting> superseded;
    private final Abort abort;

    private Pending(ShardId shard, Predicate<ShardRouting> superseded, Abort abort) {
      this.shard = shard;
      this.superseded = superseded;
      this.abort = abort;
    }

    @Override
    public void close() {
      pending.computeIfPresent(
          shard,
          (_, calls) -> {
            calls.remove(this);
            return calls.isEmpty() ? null : calls;
          });
    }
  }

  /** Registers a write to the shard's primary of {@code term}. */
  public Pending ofTerm(ShardId shard, long term, Abort abort) {
    return add(new Pending(shard, routing -> routing.primaryTerm() > term, abort));
  }

  /** Registers a read from the copy that is the shard's primary. */
  public Pending ofCopy(CopyAddress primary, Abort abort) {
    String copyId = primary.copy().copyId();
    return add(
        new Pending(primary.shard(), routing -> !routing.primary().copyId().equals(copyId), abort));
  }

  private Pending add(Pending call) {
    pending.compute(
        call.shard,
        (_, calls) -> {
          Set<Pending> all = calls == null ? ConcurrentHashMap.newKeySet() : calls;
          all.add(call);
          return all;
        });
    try {
      // The state may have changed between the lookup of the primary and the registration.
      ClusterState state = cluster.newestState();
      if (isSuperseded(state, call)) {
        abortLater(state, call);
      }
      return call;
    } catch (RuntimeException e) {
      call.close();
      throw e;
    }
  }

  private void follow(ClusterState state) {
    for (Set<Pending> calls : pending.values()) {
      for (Iterator<Pending> each = calls.iterator(); each.hasNext(); ) {
        Pending call = each.next();
        if (isSuperseded(state, call)) {
          each.remove();
          abortLater(state, call);
        }
      }
    }
  }

  /** Also true if the shard no longer exists. */
  private static boolean isSuperseded(ClusterState state, Pending call) {
    Optional<ShardRouting> routing = state.shard(call.shard);
    return routing.isEmpty() || call.superseded.test(routing.get());
  }

  private void abortLater(ClusterState state, Pending call) {
    long grace = ClusterSettings.millis(state, ClusterSettings.SUPERSEDED_GRACE);
    try {
      var _ = timer.schedule(call.abort::abort, grace, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      // This coordinator is closing, which closes its connections.
      call.abort.abort();
    }
  }

  /** Number of calls whose primary has not been superseded. */
  public int count() {
    return pending.values().stream().mapToInt(Set::size).sum();
  }

  @Override
  public void close() {
    listening.close();
    timer.shutdownNow();
  }
}
