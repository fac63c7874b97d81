package io.varve.host;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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

  /** Shares that had no room at their last check. */
  private final Set<Share> refused = new LinkedHashSet<>();

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
    List<Share> ready;
    lock.lock();
    try {
      bytes -= givenBytes;
      applied.signalAll();
      ready = bytes < limitBytes ? List.copyOf(refused) : List.of();
      ready.forEach(refused::remove);
    } finally {
      lock.unlock();
    }
    ready.forEach(share -> share.onRoom.run());
  }

  /**
   * The share of a reader that never waits.
   *
   * @param onRoom called when there is room again for a share that had none; does not block
   */
  public Share share(Runnable onRoom) {
    return new Share(onRoom);
  }

  /**
   * The share of a reader that reads only while it has room. A share for which nothing is counted
   * always has room, so that no reader blocks the others. Operations that were read count even
   * beyond the limit. Thread-safe.
   */
  public final class Share {

    private final Runnable onRoom;
    private long own;
    private boolean closed;

    private Share(Runnable onRoom) {
      this.onRoom = onRoom;
    }

    public boolean hasRoom() {
      lock.lock();
      try {
        boolean room = closed || own == 0 || bytes < limitBytes;
        if (!room) {
          refused.add(this);
        }
        return room;
      } finally {
        lock.unlock();
      }
    }

    /** Counts bytes that were read; returns false, and counts nothing, if the share is closed. */
    public boolean add(long readBytes) {
      lock.lock();
      try {
        if (!closed) {
          own += readBytes;
          bytes += readBytes;
        }
        return !closed;
      } finally {
        lock.unlock();
      }
    }

    public void release(long givenBytes) {
      lock.lock();
      try {
        if (closed) {
          return;
        }
        own -= givenBytes;
      } finally {
        lock.unlock();
      }
      ReadAhead.this.release(givenBytes);
    }

    /** Releases everything. */
    public void close() {
      long left;
      lock.lock();
      try {
        if (closed) {
          return;
        }
        closed = true;
        left = own;
        refused.remove(this);
      } finally {
        lock.unlock();
      }
      ReadAhead.this.release(left);
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
