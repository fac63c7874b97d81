package io.varve.replication.replica;

import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.store.CopySchedule;
import io.varve.store.ExponentialBackOff;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides the next action of a segment replica's worker by {@link CopySchedule} and {@link
 * SyncSchedule}. Other threads report manifests and ended syncs, which wakes the worker: nothing is
 * polled.
 *
 * <p>INVARIANT: after {@link #stop} the only action is {@link Next.End}.
 */
final class CopyRounds {

  /** The back-off after failed rounds. */
  static final ExponentialBackOff BACK_OFF =
      new ExponentialBackOff(200, 10_000, () -> ThreadLocalRandom.current().nextDouble());

  /** The next action of the worker. */
  sealed interface Next {

    /** Run a round for the target manifest. */
    record Copy(Manifest target) implements Next {}

    /** Run a sync, which counts as begun when this is returned; {@link #synced} ends it. */
    record Sync() implements Next {}

    record End() implements Next {}
  }

  /** The copy's lag behind the newest manifest. */
  record Behind(long checkpoints, long millis) {}

  private final CopyContext context;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final CopySchedule schedule;
  private final SyncSchedule syncs;
  private boolean stopped;

  CopyRounds(CopyContext context, ExponentialBackOff retries) {
    this.context = context;
    this.schedule = new CopySchedule(retries);
    this.syncs = new SyncSchedule(context.node().settings().commitMillis());
  }

  /** A manifest was published. */
  void seen(Manifest manifest) {
    lock.lock();
    try {
      if (schedule.seen(manifest)) {
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  /** The copy shows that manifest; its files may not be durable yet. */
  void achieved(Manifest manifest) {
    lock.lock();
    try {
      syncs.shown(now());
      schedule.achieved(manifest);
    } finally {
      lock.unlock();
    }
  }

  /** The round for that manifest failed. Returns whether a newer manifest is known. */
  boolean failed(Manifest target, CopySchedule.Failure failure) {
    lock.lock();
    try {
      schedule.failed(target, failure, now());
      Manifest newest = schedule.newest();
      return newest != null && newest.isNewerThan(target);
    } finally {
      lock.unlock();
    }
  }

  /** Whether the newest known manifest is shown. */
  boolean upToDate() {
    lock.lock();
    try {
      return schedule.next(now()) instanceof CopySchedule.Step.Idle;
    } finally {
      lock.unlock();
    }
  }

  Behind behind() {
    lock.lock();
    try {
      return new Behind(schedule.checkpointsBehind(), schedule.millisBehind(now()));
    } finally {
      lock.unlock();
    }
  }

  /** Blocks until there is something to do. */
  Next awaitNext() throws InterruptedException {
    lock.lock();
    try {
      while (!stopped) {
        long now = now();
        long untilSync = syncs.millisUntilDue(now);
        if (untilSync == 0 && syncs.begin()) {
          return new Next.Sync();
        }
        CopySchedule.Step step = schedule.next(now);
        if (step instanceof CopySchedule.Step.Begin(Manifest target)) {
          return new Next.Copy(target);
        }
        long untilStep =
            step instanceof CopySchedule.Step.WaitUntil(long millis)
                ? millis - now
                : Long.MAX_VALUE;
        changed.await(Math.min(untilStep, untilSync), TimeUnit.MILLISECONDS);
      }
      return new Next.End();
    } finally {
      lock.unlock();
    }
  }

  /** Begins the last sync, after {@link #stop}; returns false if everything shown is durable. */
  boolean beginLastSync() {
    lock.lock();
    try {
      return syncs.begin();
    } finally {
      lock.unlock();
    }
  }

  /** The sync has ended. */
  void synced(boolean durable) {
    lock.lock();
    try {
      syncs.ended(durable, now());
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** No further round begins. */
  void stop() {
    lock.lock();
    try {
      stopped = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private long now() {
    return context.node().clock().millis();
  }
}
