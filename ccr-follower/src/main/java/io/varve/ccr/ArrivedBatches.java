package io.varve.ccr;

import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Operations of a leader's shard that were read and not yet carried over, in order. All shards of a
 * process share one limit in bytes ({@link ReadAhead}): a reader blocks while there is no room, and
 * so does its connection to the leader, which is the flow control.
 */
final class ArrivedBatches {

  /** What the reader of the leader's log delivers. */
  sealed interface Arrived {

    /**
     * Accepted operations.
     *
     * @param batch empty if only rejected records and fences were read
     * @param nextOffset the offset after the last record read
     * @param afterInterruption whether the leader's log may have been replaced since the batch
     *     before
     */
    record Records(List<StoredRecord> batch, long nextOffset, boolean afterInterruption)
        implements Arrived {
      public Records {
        batch = List.copyOf(batch);
      }
    }

    /** The position is not in the leader's log. */
    record Lost(String reason) implements Arrived {}

    private long sizeBytes() {
      return switch (this) {
        case Records(List<StoredRecord> batch, _, _) ->
            batch.stream().mapToLong(stored -> stored.record().sizeBytes()).sum();
        case Lost _ -> 0;
      };
    }
  }

  private final ReadAhead.Share room;
  private final BlockingQueue<Arrived> queue = new LinkedBlockingQueue<>();

  /**
   * @param readAhead of all shards of the process
   */
  ArrivedBatches(ReadAhead readAhead) {
    this.room = readAhead.share();
  }

  /** Waits for room; drops the batch once this is closed. */
  void put(Arrived arrived) throws InterruptedException {
    if (room.acquire(arrived.sizeBytes())) {
      queue.add(arrived);
    }
  }

  /** Removes the oldest and releases its room; null if none arrives in time. */
  @Nullable Arrived poll(long timeout, TimeUnit unit) throws InterruptedException {
    Arrived oldest = queue.poll(timeout, unit);
    if (oldest != null) {
      room.release(oldest.sizeBytes());
    }
    return oldest;
  }

  /** Ends the waits for room and releases it all. */
  void close() {
    room.close();
  }
}
