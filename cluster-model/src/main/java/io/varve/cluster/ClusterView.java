package io.varve.cluster;

import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster's state as this process knows it: follows the cluster log from its start, folds what
 * is accepted.
 *
 * <p>INVARIANT: the state's version never goes back. Listeners run on the log's thread, in order,
 * once for each new state; they must not block.
 */
public final class ClusterView implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterView.class);

  private final PartitionLog log;
  private final Consumer<String> onLost;
  private final ClusterFold fold = new ClusterFold();
  private final OffsetWatcher version = new OffsetWatcher(0);
  private final OffsetWatcher position = new OffsetWatcher(0);
  private final Object order = new Object();
  private final List<Consumer<ClusterState>> listeners = new CopyOnWriteArrayList<>();
  private volatile ClusterState current = ClusterState.EMPTY;
  private volatile Set<String> deletedIndices = Set.of();
  private PartitionLog.@Nullable Subscription subscription;

  /**
   * {@code onLost} is told when the log can't be followed any more (its start is gone, or it holds
   * what this version can't read): from then on this process does not know the cluster.
   */
  public ClusterView(PartitionLog log, Consumer<String> onLost) {
    this.log = log;
    this.onLost = onLost;
  }

  public synchronized void start() {
    if (subscription != null) {
      throw new IllegalStateException("started twice");
    }
    subscription =
        log.subscribe(
            0,
            new PartitionLog.BatchListener() {
              @Override
              public void records(List<StoredRecord> batch) {
                batch.forEach(ClusterView.this::fold);
                position.advanceTo(batch.getLast().offset() + 1);
              }

              @Override
              public void lost(LogException.OutOfRange reason) {
                onLost.accept(String.valueOf(reason.getMessage()));
              }
            });
  }

  private void fold(StoredRecord stored) {
    switch (fold.add(stored)) {
      case FENCE_WON, ACCEPTED -> {
        if (fold.deletedIndices().size() != deletedIndices.size()) {
          deletedIndices = Set.copyOf(fold.deletedIndices());
        }
        publish(fold.state());
      }
      case FENCE_LOST, STALE_TERM, OUT_OF_SEQUENCE -> {}
    }
  }

  private void publish(ClusterState state) {
    current = state;
    version.advanceTo(state.version());
    synchronized (order) {
      listeners.forEach(listener -> tell(listener, state));
    }
  }

  /** What one listener does wrong is no reason not to follow the log. */
  private static void tell(Consumer<ClusterState> listener, ClusterState state) {
    try {
      listener.accept(state);
    } catch (RuntimeException e) {
      LOG.error("a listener failed at version {} of the cluster's state", state.version(), e);
    }
  }

  public ClusterState current() {
    return current;
  }

  /** The uuids of all indices that were ever deleted, as far as the log was read. */
  public Set<String> deletedIndices() {
    return deletedIndices;
  }

  /** The offset up to which the log was read. */
  public OffsetWatcher position() {
    return position;
  }

  /** Waits until the state is at least of that version; false when it isn't in time. */
  public boolean awaitVersion(long target, Duration timeout) throws InterruptedException {
    return version.await(target, timeout);
  }

  /** Waits for a state that satisfies {@code wanted}; empty when none came in time. */
  public Optional<ClusterState> await(Predicate<ClusterState> wanted, Duration timeout)
      throws InterruptedException {
    CompletableFuture<ClusterState> found = new CompletableFuture<>();
    try (Registration registration =
        listen(state -> {
          if (!found.isDone() && wanted.test(state)) {
            found.complete(state);
          }
        })) {
      return Optional.of(found.get(Math.max(0, timeout.toNanos()), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return Optional.empty();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  /** From the next state on; the present one is given at once, on the caller's thread. */
  public Registration listen(Consumer<ClusterState> listener) {
    synchronized (order) {
      listeners.add(listener);
      listener.accept(current);
    }
    return () -> listeners.remove(listener);
  }

  /** Ends a {@link #listen}. */
  @FunctionalInterface
  public interface Registration extends AutoCloseable {
    @Override
    void close();
  }

  @Override
  public synchronized void close() {
    if (subscription != null) {
      subscription.close();
      subscription = null;
    }
    version.close();
    position.close();
  }
}
