package io.varve.node.primary;

import io.varve.engine.Checkpoint;
import io.varve.engine.ShardEngine;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongFunction;

/**
 * Makes applied operations durable on disk now and then, so that a restart replays little. The log
 * has them anyway: nobody waits for a commit.
 */
final class Committer {

  private final ShardEngine engine;
  private final AppliedCheckpoint applied;
  private final long term;
  private final long everyMillis;
  private final long everyBytes;
  private final InstantSource clock;
  private final LongFunction<Map<String, String>> more;
  private final AtomicLong bytesSince = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long committedSeqNo;
  private volatile long lastMillis;

  /** {@code more} is what a commit up to a seq_no is to carry besides its checkpoint. */
  Committer(
      ShardEngine engine,
      AppliedCheckpoint applied,
      long term,
      long everyMillis,
      long everyBytes,
      InstantSource clock,
      LongFunction<Map<String, String>> more) {
    this.engine = engine;
    this.applied = applied;
    this.term = term;
    this.everyMillis = everyMillis;
    this.everyBytes = everyBytes;
    this.clock = clock;
    this.more = more;
    this.committedSeqNo = engine.committed().nextSeqNo();
    this.lastMillis = clock.millis();
  }

  void applied(long bytes) {
    bytesSince.addAndGet(bytes);
  }

  boolean isDue() {
    return uncommittedOperations() > 0
        && (bytesSince.get() >= everyBytes || clock.millis() - lastMillis >= everyMillis);
  }

  long uncommittedOperations() {
    return Math.max(0, applied.position().nextSeqNo() - committedSeqNo);
  }

  /** Commits if that is due and no commit is under way. */
  void commitIfDue() {
    if (lock.tryLock()) {
      try {
        if (isDue()) {
          commit();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Commits what is applied; one at a time. */
  void commit() {
    lock.lock();
    try {
      AppliedCheckpoint.Position position = applied.position();
      bytesSince.set(0);
      engine.commit(
          new Checkpoint(
              position.nextOffset(), position.nextSeqNo(), term, position.nextSeqNo() - 1),
          more.apply(position.nextSeqNo() - 1));
      committedSeqNo = position.nextSeqNo();
      lastMillis = clock.millis();
    } finally {
      lock.unlock();
    }
  }
}
