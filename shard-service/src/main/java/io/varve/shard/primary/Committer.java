package io.varve.shard.primary;

import io.varve.engine.ShardEngine;
import io.varve.host.NodeContext;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Commits applied operations to disk periodically, so that a restart replays few operations. The
 * log has all of them, so no request waits for a commit.
 */
final class Committer {

  private final ShardEngine engine;
  private final CommitPoints points;
  private final long everyMillis;
  private final long everyBytes;
  private final InstantSource clock;
  private final Runnable committed;
  private final AtomicLong bytesSince = new AtomicLong();
  private final ReentrantLock lock = new ReentrantLock();
  private final LongAdder periodic = new LongAdder();
  private volatile long committedSeqNo;
  private volatile long lastMillis;

  /**
   * @param committed called with each commit, before another one can run; does not throw
   */
  Committer(ShardEngine engine, CommitPoints points, NodeContext node, Runnable committed) {
    this.committed = committed;
    this.engine = engine;
    this.points = points;
    this.everyMillis = node.settings().commitMillis();
    this.everyBytes = node.settings().commitBytes();
    this.clock = node.clock();
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
    return Math.max(0, points.nextSeqNo() - committedSeqNo);
  }

  /** The number of commits that were due by time or size, and not requested. */
  long periodicCommits() {
    return periodic.sum();
  }

  /** Commits if a commit is due and none is running. */
  void commitIfDue() {
    if (lock.tryLock()) {
      try {
        if (isDue()) {
          commit();
          periodic.increment();
        }
      } finally {
        lock.unlock();
      }
    }
  }

  /** Commits the applied operations; one commit runs at a time. */
  void commit() {
    lock.lock();
    try {
      CommitPoints.CommitPoint point = points.capture();
      bytesSince.set(0);
      engine.commit(point.checkpoint(), point.data());
      committedSeqNo = point.checkpoint().nextSeqNo();
      lastMillis = clock.millis();
      committed.run();
    } finally {
      lock.unlock();
    }
  }
}
