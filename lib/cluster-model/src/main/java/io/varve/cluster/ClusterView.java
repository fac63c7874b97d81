package io.varve.cluster;

import io.varve.events.FeatureLevels;
import io.varve.events.MalformedRecordException;
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
import java.util.concurrent.Executor;
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
 * <p>The leader shortens the log to a snapshot. A process that is so far behind that the record
 * that it needs next is gone starts again with the snapshot: listeners see the state jump.
 *
 * <p>A process that does not support the cluster's feature level is told that it is lost, before it
 * acts on anything of that level; of a level that is below those that it supports, when it has read
 * what the log held at the start, since the level only rises.
 *
 * <p>INVARIANT: the state's version never goes back. Listeners run on the log's thread, in order,
 * once for each new state; they must not block.
 */
public final class ClusterView implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterView.class);
  private static final long PAUSE_MILLIS = 500;

  /** To find out where the log begins, once it was said that a position is gone. */
  private static final int ATTEMPTS = 20;

  private final PartitionLog log;
  private final FeatureLevels supported;
  private final Consumer<String> onLost;
  private final Executor later;
  private ClusterFold fold = new ClusterFold();
  private final OffsetWatcher version = new OffsetWatcher(0);
  private final OffsetWatcher position = new OffsetWatcher(0);
  private final Object order = new Object();
  private final List<Consumer<ClusterState>> listeners = new CopyOnWriteArrayList<>();
  private volatile ClusterState current = ClusterState.EMPTY;
  private volatile Set<String> deletedIndices = Set.of();
  private volatile SnapshotSchedule schedule = SnapshotSchedule.START;
  private volatile long removableBefore;
  private PartitionLog.@Nullable Subscription subscription;
  private boolean closed;

  private volatile boolean lost;

  // One subscription at a time uses it.
  private long historyEnd;

  /**
   * @param onLost told when the log can't be followed any more (it is gone, or it holds what this
   *     process can't read): from then on this process does not know the cluster
   * @param later runs what it is given after a pause, on a thread that may block
   */
  public ClusterView(
      PartitionLog log, FeatureLevels supported, Consumer<String> onLost, Executor later) {
    this.log = log;
    this.supported = supported;
    this.onLost = onLost;
    this.later = later;
  }

  public ClusterView(PartitionLog log, FeatureLevels supported, Consumer<String> onLost) {
    this(
        log,
        supported,
        onLost,
        CompletableFuture.delayedExecutor(
            PAUSE_MILLIS, TimeUnit.MILLISECONDS, Thread::startVirtualThread));
  }

  /** Of a process that supports all levels of this release. */
  public ClusterView(PartitionLog log, Consumer<String> onLost) {
    this(log, FeatureLevels.OF_THIS_RELEASE, onLost);
  }

  /** Asks the log where it begins, so it may block. */
  public void start() {
    historyEnd = historyEnd();
    long start;
    try {
      start = log.startOffset();
    } catch (LogException.Unavailable e) {
      LOG.debug("where the cluster log begins is found out later", e);
      start = 0;
    }
    synchronized (this) {
      if (subscription != null) {
        throw new IllegalStateException("started twice");
      }
      subscription = subscribe(start);
    }
  }

  private PartitionLog.Subscription subscribe(long from) {
    return log.subscribe(
        from,
        new PartitionLog.BatchListener() {
          @Override
          public void records(List<StoredRecord> batch) {
            follow(batch);
          }

          @Override
          public void lost(LogException.OutOfRange reason) {
            later.execute(() -> followAgain(String.valueOf(reason.getMessage()), ATTEMPTS));
          }
        });
  }

  /** From the snapshot with which the log begins now, if that is ahead of what was read. */
  private void followAgain(String reason, int attempts) {
    if (lost) {
      return;
    }
    long start;
    try {
      start = log.startOffset();
    } catch (LogException.Unavailable e) {
      if (attempts > 1) {
        later.execute(() -> followAgain(reason, attempts - 1));
      } else {
        lose(reason);
      }
      return;
    }
    if (start <= position.current()) {
      lose(reason);
      return;
    }
    LOG.warn(
        "the cluster log begins at offset {} and was read here up to {}: its snapshot is read",
        start,
        position.current());
    synchronized (this) {
      if (!closed) {
        fold = new ClusterFold();
        subscription = subscribe(start);
      }
    }
  }

  /** Where the level can be too low only for as long as the past is read; else 0. */
  private long historyEnd() {
    if (supported.min() == FeatureLevels.FIRST) {
      return 0;
    }
    try {
      return log.endOffset();
    } catch (LogException.Unavailable e) {
      LOG.warn("that the cluster's feature level is too low is left to the leader to tell", e);
      return Long.MAX_VALUE;
    }
  }

  private void follow(List<StoredRecord> batch) {
    for (StoredRecord stored : batch) {
      if (lost) {
        return;
      }
      fold(stored);
    }
    position.advanceTo(batch.getLast().offset() + 1);
  }

  private void fold(StoredRecord stored) {
    try {
      switch (fold.add(stored)) {
        case FENCE_WON, ACCEPTED -> {
          if (fold.isLoading()) {
            return;
          }
          deletedIndices = fold.deletedIndices();
          schedule = fold.schedule();
          removableBefore = fold.removableBefore();
          if (supports(fold.state(), stored.offset())) {
            publish(fold.state());
          } else {
            lose(
                "the cluster is at feature level "
                    + fold.state().featureLevel()
                    + ", this process supports "
                    + supported
                    + ": start it with a release that supports the cluster's level");
          }
        }
        case FENCE_LOST, STALE_TERM, OUT_OF_SEQUENCE -> {}
      }
    } catch (MalformedRecordException e) {
      LOG.error("record {} of the cluster log can't be read", stored.offset(), e);
      lose("record " + stored.offset() + " can't be read: " + e.getMessage());
    }
  }

  private boolean supports(ClusterState state, long offset) {
    int level = state.featureLevel();
    boolean past = state.version() == 0 || offset + 1 < historyEnd;
    return level <= supported.max() && (past || level >= supported.min());
  }

  private void lose(String reason) {
    if (!lost) {
      lost = true;
      onLost.accept(reason);
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

  /** What the log holds since its newest snapshot, as far as it was read. */
  public SnapshotSchedule schedule() {
    return schedule;
  }

  /** The offset before which nobody needs the log any more; 0 while all of it is needed. */
  public long removableBefore() {
    return removableBefore;
  }

  /** The uuids of deleted indices that are remembered, as far as the log was read. */
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
    closed = true;
    if (subscription != null) {
      subscription.close();
      subscription = null;
    }
    version.close();
    position.close();
  }
}
