package io.varve.ccr;

import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.events.ManifestRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.OffsetWatcher;
import io.varve.log.PartitionLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds back the operations of a strongly consistent leader until its primary has published that
 * all of its copies hold them. Otherwise a follower could have operations that its leader lost.
 *
 * <p>{@link #offer} and {@link #pass} are for one thread.
 */
public final class ReplicatedOperations implements AutoCloseable {

  /**
   * A range of this many records at the end of a log contains an operation, unless all of them are
   * fences.
   */
  private static final int FEW_RECORDS = 64;

  private final OffsetWatcher upTo = new OffsetWatcher(-1);
  private volatile boolean lost;
  private Arrived.@Nullable Records held;
  private PartitionLog.@Nullable Subscription subscription;

  /** Reads what is published in the leader's manifests topic, until this is closed. */
  void follow(PartitionLog manifests) throws LogException {
    long end = manifests.endOffset();
    upTo.advanceTo(new ManifestLog(manifests).replicatedBefore(end));
    subscription =
        manifests.subscribe(
            end,
            new PartitionLog.BatchListener() {
              @Override
              public void records(List<StoredRecord> batch) {
                batch.stream().map(ManifestLog::decode).forEach(ReplicatedOperations.this::seen);
              }

              @Override
              public void lost(LogException.OutOfRange reason) {
                lost = true;
                upTo.close();
              }
            });
  }

  /** A record of the leader's manifests topic. */
  public void seen(ManifestRecord record) {
    if (record instanceof ManifestRecord.Replicated(var published)) {
      upTo.advanceTo(published.seqNo());
    }
  }

  /** The published seq_no up to which all copies of the leader hold everything. */
  public OffsetWatcher upTo() {
    return upTo;
  }

  /** Whether operations are held back. */
  public boolean holds() {
    return held != null;
  }

  /** The first seq_no that is held back. */
  public long firstHeld() {
    if (held == null) {
      throw new IllegalStateException("nothing is held back");
    }
    return seqNo(held.batch().getFirst());
  }

  /** The part of these operations that may be sent to the follower now; null if none. */
  public @Nullable Arrived offer(Arrived arrived) {
    if (held != null) {
      throw new IllegalStateException("operations before these are held back");
    }
    if (!(arrived instanceof Arrived.Records records)) {
      return arrived;
    }
    held = records;
    return pass();
  }

  /** The part of the operations held back that may be sent to the follower now; null if none. */
  public @Nullable Arrived pass() {
    Arrived.Records records = held;
    if (records == null) {
      return null;
    }
    List<StoredRecord> batch = records.batch();
    long replicated = upTo.current();
    int free = 0;
    while (free < batch.size() && seqNo(batch.get(free)) <= replicated) {
      free++;
    }
    if (free == batch.size()) {
      held = null;
      return records;
    }
    if (free == 0) {
      return null;
    }
    List<StoredRecord> rest = batch.subList(free, batch.size());
    held = new Arrived.Records(rest, records.nextOffset(), false);
    return new Arrived.Records(
        batch.subList(0, free), rest.getFirst().offset(), records.afterInterruption());
  }

  /**
   * Like {@link #pass}, but waits until the first operation may be sent or the time is over.
   *
   * @throws IOException if no further operation will be sent
   */
  @Nullable Arrived await(long timeoutMillis) throws IOException, InterruptedException {
    var _ = upTo.await(firstHeld(), Duration.ofMillis(timeoutMillis));
    if (lost) {
      throw new IOException("the leader's manifests can no longer be read");
    }
    return pass();
  }

  /**
   * Waits until all copies of the leader hold everything that is in its log now, and thus the
   * content of every manifest published so far.
   *
   * @throws IOException if the time is over
   */
  static void awaitEnd(PartitionLog manifests, PartitionLog operations, Duration timeout)
      throws LogException, IOException, InterruptedException {
    long end = operations.endOffset();
    long[] last = {-1};
    operations.read(
        Math.max(operations.startOffset(), end - FEW_RECORDS),
        end,
        stored -> {
          byte[] bytes = stored.record().header();
          if (bytes.length > 0 && RecordHeader.read(bytes).kind() == RecordHeader.Kind.DATA) {
            last[0] = RecordHeader.read(bytes).seqNo();
          }
        });
    try (ReplicatedOperations replicated = new ReplicatedOperations()) {
      replicated.follow(manifests);
      if (!replicated.upTo().await(last[0], timeout)) {
        throw new IOException(
            "the copies of the leader are known to hold seq_no %d, not yet %d"
                .formatted(replicated.upTo().current(), last[0]));
      }
    }
  }

  private static long seqNo(StoredRecord stored) {
    return RecordHeader.read(stored.record().header()).seqNo();
  }

  @Override
  public void close() {
    upTo.close();
    if (subscription != null) {
      subscription.close();
    }
  }
}
