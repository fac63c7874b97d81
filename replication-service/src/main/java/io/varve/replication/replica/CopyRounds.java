package io.varve.replication.replica;

import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.process.FatalErrors;
import io.varve.store.CopySchedule;
import io.varve.store.ExponentialBackOff;
import io.varve.store.Joining;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes from round to round as {@link CopySchedule} says, on one thread of its own. Files are made
 * durable when it is time, on another, so that no round waits for the disk. Manifests come in on
 * the log's thread and wake it: nothing is polled.
 *
 * <p>INVARIANT: one round at a time, and none after {@link #stop}; one sync at a time, and none
 * after {@link #close}.
 */
final class CopyRounds implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(CopyRounds.class);

  /** After rounds that failed. */
  static final ExponentialBackOff BACK_OFF =
      new ExponentialBackOff(200, 10_000, () -> ThreadLocalRandom.current().nextDouble());

  /** What the owner does; called from the thread of the rounds where it doesn't say otherwise. */
  interface Owner {

    /** Carries out a round for that manifest. */
    SegmentFollower.Ended run(Manifest target) throws InterruptedException;

    /** A round ended, and the course knows. */
    void ended(SegmentFollower.Ended ended);

    /**
     * Makes durable what is shown, and says whether it is; called while rounds go on, from a thread
     * of its own.
     */
    boolean sync();

    /** No more rounds: this can't go on. */
    void broken(String reason);
  }

  /** How far behind the newest manifest the copy is. */
  record Behind(long checkpoints, long millis) {}

  private final CopyContext context;
  private final Owner owner;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final CopySchedule course;
  private volatile @Nullable Thread worker;
  private volatile boolean stopped;
  private @Nullable Thread syncing;
  private volatile boolean syncUnderWay;
  private long unsyncedSinceMillis = -1;

  CopyRounds(CopyContext context, Owner owner, ExponentialBackOff retries) {
    this.context = context;
    this.owner = owner;
    this.course = new CopySchedule(retries);
  }

  void start() {
    worker = Thread.ofVirtual().name("segment-replica-" + context.shard()).start(this::work);
  }

  /** A manifest was published. */
  void seen(Manifest manifest) {
    lock.lock();
    try {
      if (course.seen(manifest)) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The copy shows that manifest already; whether its files are durable is not known. */
  void achieved(Manifest manifest) {
    lock.lock();
    try {
      unsyncedSinceMillis = now();
      course.achieved(manifest);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the newest manifest known is shown. */
  boolean upToDate() {
    lock.lock();
    try {
      return course.next(now()) instanceof CopySchedule.Step.Idle;
    } finally {
      lock.unlock();
    }
  }

  Behind behind() {
    lock.lock();
    try {
      return new Behind(course.checkpointsBehind(), course.millisBehind(now()));
    } finally {
      lock.unlock();
    }
  }

  private long now() {
    return context.node().clock().millis();
  }

  private void work() {
    try {
      while (awaitRound() instanceof CopySchedule.Step.Begin(Manifest target)) {
        SegmentFollower.Ended ended = owner.run(target);
        note(ended);
        owner.ended(ended);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      FatalErrors.endOn(e);
      LOG.error("{} can't go on", context.shard(), e);
      owner.broken(e.toString());
    }
  }

  private void note(SegmentFollower.Ended ended) {
    switch (ended) {
      case SegmentFollower.Ended.Installed(Manifest manifest) -> {
        shown(manifest);
      }
      case SegmentFollower.Ended.Failed failed -> {
        lock.lock();
        try {
          course.failed(failed.target(), failed.failure(), now());
        } finally {
          lock.unlock();
        }
      }
      case SegmentFollower.Ended.Stopped _ -> {}
    }
  }

  private void shown(Manifest manifest) {
    lock.lock();
    try {
      if (unsyncedSinceMillis < 0) {
        unsyncedSinceMillis = now();
      }
      course.achieved(manifest);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the next round, making files durable when it is time; idle only at the end. */
  private CopySchedule.Step awaitRound() throws InterruptedException {
    while (true) {
      lock.lock();
      try {
        long now = now();
        CopySchedule.Step step = stopped ? new CopySchedule.Step.Idle() : course.next(now);
        if (!stopped && millisUntilSync(now) == 0) {
          syncIfNeeded();
        }
        if (stopped || step instanceof CopySchedule.Step.Begin) {
          return step;
        }
        long untilStep =
            step instanceof CopySchedule.Step.WaitUntil(long millis)
                ? millis - now
                : Long.MAX_VALUE;
        long waitMillis = Math.min(untilStep, millisUntilSync(now));
        if (waitMillis > 0) {
          changed.await(waitMillis, TimeUnit.MILLISECONDS);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  private long millisUntilSync(long now) {
    return unsyncedSinceMillis < 0 || syncUnderWay
        ? Long.MAX_VALUE
        : Math.max(0, unsyncedSinceMillis + context.node().settings().commitMillis() - now);
  }

  /** Behind it a restart needs to read no file to trust it. */
  private void syncIfNeeded() {
    if (unsyncedSinceMillis >= 0) {
      unsyncedSinceMillis = -1;
      syncUnderWay = true;
      syncing = Thread.ofVirtual().name("sync-" + context.shard()).start(this::sync);
    }
  }

  private void sync() {
    boolean durable = false;
    try {
      durable = owner.sync();
    } catch (RuntimeException | Error e) {
      FatalErrors.endOn(e);
      LOG.error("{} can't make its files durable", context.shard(), e);
      owner.broken(e.toString());
    } finally {
      synced(durable);
    }
  }

  /** What was not made durable is tried again after as long a time. */
  private void synced(boolean durable) {
    lock.lock();
    try {
      syncUnderWay = false;
      if (!durable && unsyncedSinceMillis < 0) {
        unsyncedSinceMillis = now();
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The round under way is the last. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns when no round is under way and what was shown is durable. A round stops at its next
   * piece; the interrupt ends a wait for a source that says nothing.
   */
  @Override
  public void close() {
    stop();
    Thread running = worker;
    if (running != null) {
      running.interrupt();
      Joining.uninterruptibly(List.of(running));
    }
    awaitSync();
    syncIfNeeded();
    awaitSync();
  }

  private void awaitSync() {
    Thread running = syncing;
    if (running != null) {
      Joining.uninterruptibly(List.of(running));
    }
  }
}
