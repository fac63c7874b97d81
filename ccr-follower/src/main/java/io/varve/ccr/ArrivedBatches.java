package io.varve.ccr;

import io.varve.cluster.FollowParameters;
import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of operations that were read from a leader's shard and not yet sent to the
 * follower. The follow parameters limit the reads, the operations and the bytes of one shard; all
 * shards of a process also share a limit in bytes ({@link ReadAhead}). The reader blocks while the
 * queue is full, which stops the fetches from the leader. An empty queue always admits one batch,
 * even if the batch exceeds the limits.
 */
public final class ArrivedBatches {

  /** What the reader of the leader's log delivers. */
  public sealed interface Arrived {

    /**
     * Accepted operations.
     *
     * @param batch empty if only rejected records and fences were read
     * @param nextOffset the offset after the last record read
     * @param afterInterruption whether the leader's log may have been replaced since the previous
     *     batch
     */
    record Records(List<StoredRecord> batch, long nextOffset, boolean afterInterruption)
        implements Arrived {
      public Records {
        batch = List.copyOf(batch);
      }
    }

    /** The position is not in the leader's log. */
    record Lost(String reason) implements Arrived {}

    private Buffered size() {
      return switch (this) {
        case Records(List<StoredRecord> batch, _, _) ->
            new Buffered(
                1,
                batch.size(),
                batch.stream().mapToLong(stored -> stored.record().sizeBytes()).sum());
        case Lost _ -> new Buffered(0, 0, 0);
      };
    }
  }

  /** The number of reads whose operations were not sent yet, and the size of these operations. */
  record Buffered(long reads, long operations, long bytes) {

    static final Buffered NOTHING = new Buffered(0, 0, 0);

    private Buffered plus(Buffered more) {
      return new Buffered(reads + more.reads, operations + more.operations, bytes + more.bytes);
    }

    private Buffered minus(Buffered less) {
      return new Buffered(reads - less.reads, operations - less.operations, bytes - less.bytes);
    }

    private boolean isWithin(FollowParameters limits) {
      return reads <= limits.maxOutstandingReadRequests()
          && operations <= limits.maxWriteBufferCount()
          && bytes <= limits.maxWriteBufferSizeBytes();
    }
  }

  private final FollowParameters limits;
  private final ReadAhead.Share room;
  private final BlockingQueue<Arrived> queue = new LinkedBlockingQueue<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition smaller = lock.newCondition();
  private Buffered buffered = Buffered.NOTHING;
  private boolean closed;

  /** The batch that {@link #poll} returned last. */
  private @Nullable Arrived current;

  /**
   * @param limits of this shard
   * @param readAhead of all shards of the process
   */
  ArrivedBatches(FollowParameters limits, ReadAhead readAhead) {
    this.limits = limits;
    this.room = readAhead.share();
  }

  /**
   * Adds the batch once the limits permit it; drops it once this is closed. Called by one thread.
   */
  void put(Arrived arrived) throws InterruptedException {
    Buffered size = arrived.size();
    if (awaitRoom(size) && room.acquire(size.bytes())) {
      queue.add(arrived);
    }
  }

  /** Returns false once this is closed. */
  private boolean awaitRoom(Buffered size) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!closed && buffered.reads() > 0 && !buffered.plus(size).isWithin(limits)) {
        smaller.await();
      }
      buffered = closed ? Buffered.NOTHING : buffered.plus(size);
      return !closed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes the oldest batch; null if none arrives in time. A batch counts until the next call,
   * because its operations are sent meanwhile. Called by one thread.
   */
  @Nullable Arrived poll(long timeout, TimeUnit unit) throws InterruptedException {
    Arrived sent = current;
    current = null;
    if (sent != null) {
      release(sent.size());
    }
    current = queue.poll(timeout, unit);
    return current;
  }

  private void release(Buffered size) {
    lock.lock();
    try {
      buffered = closed ? Buffered.NOTHING : buffered.minus(size);
      smaller.signalAll();
    } finally {
      lock.unlock();
    }
    room.release(size.bytes());
  }

  Buffered buffered() {
    lock.lock();
    try {
      return buffered;
    } finally {
      lock.unlock();
    }
  }

  /** Ends all waits and frees the shares of all batches. */
  void close() {
    lock.lock();
    try {
      closed = true;
      buffered = Buffered.NOTHING;
      smaller.signalAll();
    } finally {
      lock.unlock();
    }
    room.close();
  }
}
