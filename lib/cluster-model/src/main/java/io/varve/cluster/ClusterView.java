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
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The cluster state as known to this process. It follows the cluster log from its start and applies
 * the accepted events.
 *
 * <p>The leader truncates the log to a snapshot. A process whose next record was truncated
 * continues from the snapshot; its listeners do not see the states in between.
 *
 * <p>If the process does not support the cluster's feature level, {@code onLost} is called before
 * anything of that level takes effect. A level below the supported ones is reported only after the
 * log was read up to its end at the start, since the level may still rise.
 *
 * <p>INVARIANT: the version of the state never decreases. Listeners run on the log's thread, in
 * order, once per new state, and must not block.
 */
public final class ClusterView implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ClusterView.class);
  private static final long PAUSE_MILLIS = 500;

  /** Maximum number of attempts to find the start of the log after the position was truncated. */
  private static final int ATTEMPTS = 20;

  private final PartitionLog log;
  private final FeatureLevels supported;
  private final Consumer<String> onLost;
  private final Executor later;
  private final Supplier<ClusterFold> folds;
  private ClusterFold fold;
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

  // Used by one subscription at a time.
  private long historyEnd;

  /**
   * @param onLost called when the log can no longer be followed (it is gone, or has records that
   *     this process can't read); the state is not updated from then on
   * @param later runs a task after a pause, on a thread that may block
   */
  public ClusterView(
      PartitionLog log, FeatureLevels supported, Consumer<String> onLost, Executor later) {
    this(log, supported, onLost, later, ClusterFold::new);
  }

  private ClusterView(
      PartitionLog log,
      FeatureLevels supported,
      Consumer<String> onLost,
      Executor later,
      Supplier<ClusterFold> folds) {
    this.folds = folds;
    this.fold = folds.get();
    this.log = log;
    this.supported = supported;
    this.onLost = onLost;
    this.later = later;
  }

  public ClusterView(PartitionLog log, FeatureLevels supported, Consumer<String> onLost) {
    this(log, supported, onLost, delayed());
  }

  private static Executor delayed() {
    return CompletableFuture.delayedExecutor(
        PAUSE_MILLIS, TimeUnit.MILLISECONDS, Thread::startVirtualThread);
  }

  /**
   * A view of another cluster, whose release may be newer: it reads all feature levels, and skips
   * events that this release can't read.
   *
   * @param skipped gets those events
   */
  public static ClusterView ofOtherCluster(
      PartitionLog log, SkippedEvents skipped, Consumer<String> onLost) {
    return new ClusterView(
        log, FeatureLevels.ALL, onLost, delayed(), () -> ClusterFold.ofOtherCluster(skipped));
  }

  /** A view of a process that supports all feature levels of this release. */
  public ClusterView(PartitionLog log, Consumer<String> onLost) {
    this(log, FeatureLevels.OF_THIS_RELEASE, onLost);
  }

  /** Requests the start of the log, so it may block. */
  public void start() {
    historyEnd = historyEnd();
    long start;
    try {
      start = log.startOffset();
    } catch (LogException.Unavailable e) {
      LOG.debug("could not find the start of the cluster log, retrying", e);
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

  /** Continues from the snapshot at the start of the log, if the snapshot is after the position. */
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
        "the cluster log begins at offset {}, this process has read it up to {}: "
            + "reading its snapshot",
        start,
        position.current());
    synchronized (this) {
      if (!closed) {
        fold = folds.get();
        subscription = subscribe(start);
      }
    }
  }

  /** The end offset up to which a level that is too low is tolerated; 0 for none. */
  private long historyEnd() {
    if (supported.min() == FeatureLevels.FIRST) {
      return 0;
    }
    try {
      return log.endOffset();
    } catch (LogException.Unavailable e) {
      LOG.warn(
          "could not determine the end of the cluster log; the leader will refuse "
              + "this process if the cluster's feature level is too low",
          e);
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
        case FENCE_LOST, STALE_TERM, OUT_OF_SEQUENCE, REVIVED -> {}
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

  /** A failing listener must not stop the view from following the log. */
  private static void tell(Consumer<ClusterState> listener, ClusterState state) {
    try {
      listener.accept(state);
    } catch (RuntimeException e) {
      LOG.error("a listener failed at version {} of the cluster state", state.version(), e);
    }
  }

  public ClusterState current() {
    return current;
  }

  /** The records read since the newest snapshot. */
  public SnapshotSchedule schedule() {
    return schedule;
  }

  /** The offset before which the log is no longer needed; 0 if all of it is needed. */
  public long removableBefore() {
    return removableBefore;
  }

  /** The uuids of deleted indices that are still remembered. */
  public Set<String> deletedIndices() {
    return deletedIndices;
  }

  /** The offset up to which the log has been read. */
  public OffsetWatcher position() {
    return position;
  }

  /** Waits until the state has at least this version; false on timeout. */
  public boolean awaitVersion(long target, Duration timeout) throws InterruptedException {
    return version.await(target, timeout);
  }

  /** Waits for a state that satisfies {@code wanted}; empty on timeout. */
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

  /**
   * Calls the listener with the current state at once, on this thread, and then with each new one.
   */
  public Registration listen(Consumer<ClusterState> listener) {
    synchronized (order) {
      listeners.add(listener);
      listener.accept(current);
    }
    return () -> listeners.remove(listener);
  }

  /** Removes a listener added by {@link #listen}. */
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
