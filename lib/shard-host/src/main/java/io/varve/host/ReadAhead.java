package io.varve.host;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits the bytes of operations that were read from the log but not applied yet: a reader that
 * would exceed the limit waits until some are applied. A single operation never waits, however
 * large.
 */
public final class ReadAhead {

  private static final long MOST_BYTES = 64L << 20;

  private final long limitBytes;
  private final ReentrantLock lock = new ReentrantLock(true);
  private final Condition applied = lock.newCondition();
  private long bytes;

  public ReadAhead(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** A limit relative to the heap of this process. */
  public static ReadAhead ofHeap() {
    return new ReadAhead(Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / 8));
  }

  /** Waits for room; must be followed by {@link #release} with the same number. */
  public void acquire(long wantedBytes) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (bytes > 0 && bytes + wantedBytes > limitBytes) {
        applied.await();
      }
      bytes += wantedBytes;
    } finally {
      lock.unlock();
    }
  }

  public void release(long givenBytes) {
    lock.lock();
    try {
      bytes -= givenBytes;
      applied.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** The part of one reader. */
  public Share share() {
    return new Share();
  }

  /** See {@link ReadAhead}. Thread-safe. */
  public final class Share {

    private long own;
    private boolean closed;

    private Share() {}

    /**
     * Waits for room, unless nothing is counted for this share.
     *
     * @return false if the share is closed; then nothing is counted
     */
    public boolean acquire(long wantedBytes) throws InterruptedException {
      lock.lockInterruptibly();
      try {
        while (!closed && own > 0 && bytes + wantedBytes > limitBytes) {
          applied.await();
        }
        if (!closed) {
          own += wantedBytes;
          bytes += wantedBytes;
        }
        return !closed;
      } finally {
        lock.unlock();
      }
    }

    public void release(long givenBytes) {
      lock.lock();
      try {
        if (!closed) {
          own -= givenBytes;
          ReadAhead.this.release(givenBytes);
        }
      } finally {
        lock.unlock();
      }
    }

    /** Releases everything and ends waits. */
    public void close() {
      lock.lock();
      try {
        if (!closed) {
          closed = true;
          ReadAhead.this.release(own);
        }
      } finally {
        lock.unlock();
      }
    }
  }

  public long bytes() {
    lock.lock();
    try {
      return bytes;
    } finally {
      lock.unlock();
    }
  }
}
