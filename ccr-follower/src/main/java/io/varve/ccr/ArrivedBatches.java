package io.varve.ccr;

import io.varve.events.StoredRecord;
import io.varve.host.ReadAhead;
import io.varve.log.LogException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What came from the leader and was not carried over yet, in order. It is bounded in bytes ({@link
 * ReadAhead}): who brings more waits, and with him the connection to the leader; that is the flow
 * control.
 */
final class ArrivedBatches {

  /** Operations, or the end of what the leader has. */
  record Arrived(List<StoredRecord> batch, LogException.@Nullable OutOfRange lost) {

    private long sizeBytes() {
      return batch.stream().mapToLong(stored -> stored.record().sizeBytes()).sum();
    }
  }

  private final ReadAhead room;
  private final BlockingQueue<Arrived> queue = new LinkedBlockingQueue<>();
  private volatile boolean closed;

  ArrivedBatches(ReadAhead room) {
    this.room = room;
  }

  /** Waits for room; nothing is kept any more once this is closed. */
  void put(Arrived arrived) throws InterruptedException {
    room.acquire(arrived.sizeBytes());
    if (!closed) {
      queue.add(arrived);
    }
  }

  /** The oldest, which is no longer counted; null when none came in time. */
  @Nullable Arrived poll(long timeout, TimeUnit unit) throws InterruptedException {
    Arrived oldest = queue.poll(timeout, unit);
    if (oldest != null) {
      room.release(oldest.sizeBytes());
    }
    return oldest;
  }

  /** Nobody waits for room any more: it is this one's own. */
  void close() {
    closed = true;
    room.release(Long.MAX_VALUE / 2);
  }
}
