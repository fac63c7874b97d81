package io.varve.ccr;

import io.varve.cluster.FollowParameters;
import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import java.util.ArrayList;
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
 *
 * <p>Batches that arrived while another was being sent are joined, up to the size of one request:
 * each request waits for an append to the follower's log, so a follower that lags needs large ones.
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

    private static Buffered of(Arrived arrived) {
      return switch (arrived) {
        case Arrived.Records(List<StoredRecord> batch, _, _) ->
            new Buffered(
                1,
                batch.size(),
                batch.stream().mapToLong(stored -> stored.record().sizeBytes()).sum());
        case Arrived.Lost _, Arrived.Unreadable _ -> NOTHING;
      };
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

  /** The size of what {@link #poll} returned last. */
  private Buffered sending = Buffered.NOTHING;

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
    Buffered size = Buffered.of(arrived);
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
   * Removes the oldest batch, joined with those after it; null if none arrives in time. A batch
   * counts until the next call, because its operations are being sent until then. Called by one
   * thread.
   */
  public @Nullable Arrived poll(long timeout, TimeUnit unit) throws InterruptedException {
    if (!sending.equals(Buffered.NOTHING)) {
      release(sending);
      sending = Buffered.NOTHING;
    }
    Arrived first = queue.poll(timeout, unit);
    if (first == null) {
      return null;
    }
    sending = Buffered.of(first);
    return first instanceof Arrived.Records records ? joined(records) : first;
  }

  /** Not joined is a batch before which the leader's history must be compared. */
  private Arrived.Records joined(Arrived.Records first) {
    long nextOffset = first.nextOffset();
    List<StoredRecord> joined = new ArrayList<>(first.batch());
    while (queue.peek() instanceof Arrived.Records next && !next.afterInterruption()) {
      Buffered both = sending.plus(Buffered.of(next));
      if (!WriteRequests.fits(both, limits)) {
        break;
      }
      queue.remove();
      sending = both;
      joined.addAll(next.batch());
      nextOffset = next.nextOffset();
    }
    return new Arrived.Records(joined, nextOffset, first.afterInterruption());
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
