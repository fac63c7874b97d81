package io.varve.ccr;

import io.varve.cluster.FollowParameters;
import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The operations that were read from a leader's shard and not yet sent to the follower. The follow
 * parameters limit the reads, the operations and the bytes of one shard; all shards of a process
 * also share a limit in bytes ({@link ReadAhead}).
 *
 * <pre>
 *   ready       nothing is buffered, or less than each limit is
 *   not ready   otherwise: the shard's partition is not read, until {@code onReady} is called
 * </pre>
 *
 * No call blocks, because one thread reads the logs of many shards. The last batch may therefore
 * exceed the limits.
 */
public final class ArrivedBatches {

  /** A result of reading the leader's log. */
  public sealed interface Arrived {

    /**
     * Accepted operations.
     *
     * @param batch empty if only rejected records and fences were read
     * @param nextOffset the offset after the last record read
     * @param afterInterruption whether the leader's log may have been replaced since the previous
     *     batch, or may hold records that the reader has skipped
     */
    record Records(List<StoredRecord> batch, long nextOffset, boolean afterInterruption)
        implements Arrived {
      public Records {
        batch = List.copyOf(batch);
      }
    }

    /** The position is not in the leader's log. */
    record Lost(String reason) implements Arrived {}

    /**
     * A record whose header can't be read, so it is unknown whether it is accepted. The reader
     * delivers no further records.
     *
     * @param term in force before the record; 0 if the reader has read no record before it
     */
    record Unreadable(long offset, long term, String reason) implements Arrived {}

    private Buffered size() {
      return switch (this) {
        case Records(List<StoredRecord> batch, _, _) ->
            new Buffered(
                1,
                batch.size(),
                batch.stream().mapToLong(stored -> stored.record().sizeBytes()).sum());
        case Lost _, Unreadable _ -> Buffered.NOTHING;
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

    private boolean isBelow(FollowParameters limits) {
      return reads < limits.maxOutstandingReadRequests()
          && operations < limits.maxWriteBufferCount()
          && bytes < limits.maxWriteBufferSizeBytes();
    }
  }

  private final FollowParameters limits;
  private final ReadAhead.Share room;
  private final BlockingQueue<Arrived> queue = new LinkedBlockingQueue<>();
  private final Runnable onReady;
  private final ReentrantLock lock = new ReentrantLock();
  private Buffered buffered = Buffered.NOTHING;
  private boolean closed;

  /** Whether the reader was told to wait. */
  private boolean paused;

  /** The batch that {@link #poll} returned last. */
  private @Nullable Arrived current;

  /**
   * @param limits of this shard
   * @param readAhead of all shards of the process
   * @param onReady called when a reader that was told to wait may read again; does not block
   */
  public ArrivedBatches(FollowParameters limits, ReadAhead readAhead, Runnable onReady) {
    this.limits = limits;
    this.onReady = onReady;
    this.room = readAhead.share(onReady);
  }

  /** Whether another batch may be read. */
  public boolean isReady() {
    lock.lock();
    try {
      boolean ready =
          closed || buffered.reads() == 0 || (buffered.isBelow(limits) && room.hasRoom());
      paused = !ready;
      return ready;
    } finally {
      lock.unlock();
    }
  }

  /** Adds the batch; drops it once this is closed. */
  public void put(Arrived arrived) {
    Buffered size = arrived.size();
    lock.lock();
    try {
      if (!closed && room.add(size.bytes())) {
        buffered = buffered.plus(size);
        queue.add(arrived);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes the oldest batch; null if none arrives in time. A batch counts until the next call,
   * because its operations are being sent until then. Called by one thread.
   */
  public @Nullable Arrived poll(long timeout, TimeUnit unit) throws InterruptedException {
    Arrived sent = current;
    current = null;
    if (sent != null) {
      release(sent.size());
    }
    current = queue.poll(timeout, unit);
    return current;
  }

  private void release(Buffered size) {
    boolean wakes;
    lock.lock();
    try {
      buffered = closed ? Buffered.NOTHING : buffered.minus(size);
      wakes = paused;
      paused = false;
    } finally {
      lock.unlock();
    }
    room.release(size.bytes());
    if (wakes) {
      onReady.run();
    }
  }

  Buffered buffered() {
    lock.lock();
    try {
      return buffered;
    } finally {
      lock.unlock();
    }
  }

  /** Frees the shares of all batches. */
  public void close() {
    lock.lock();
    try {
      closed = true;
      buffered = Buffered.NOTHING;
    } finally {
      lock.unlock();
    }
    room.close();
  }
}
