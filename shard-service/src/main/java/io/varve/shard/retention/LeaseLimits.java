package io.varve.shard.retention;

import io.varve.cluster.RetentionLease;
import io.varve.events.ShardId;
import io.varve.host.CopyContext;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.ClusterCalls;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests the end of leases that retain more of a shard's log than {@code
 * index.soft_deletes.retention_lease.max_bytes}. The leading coordinator decides, because it may
 * know a renewal that is not recorded yet.
 *
 * <p>The bytes from a lease's offset to the end of the log are estimated from up to {@link
 * #SAMPLES} records, evenly spread over the range, from the sizes of their keys, headers and
 * values, because brokers do not report the size of a range. The check runs every {@link
 * #EVERY_MILLIS}. Used by one thread at a time.
 */
final class LeaseLimits {

  private static final Logger LOG = LoggerFactory.getLogger(LeaseLimits.class);
  private static final int SAMPLES = 32;
  private static final long EVERY_MILLIS = 30_000;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final CopyContext context;
  private long dueMillis;

  LeaseLimits(CopyContext context) {
    this.context = context;
  }

  /**
   * @param maxBytes that each lease may retain; -1 for no limit
   */
  void check(Map<String, RetentionLease> leases, long maxBytes, long nowMillis)
      throws LogException {
    if (maxBytes < 0 || nowMillis < dueMillis) {
      return;
    }
    dueMillis = nowMillis + EVERY_MILLIS;
    ShardId shard = context.shard();
    PartitionLog operations = context.operations();
    long end = operations.endOffset();
    for (Map.Entry<String, RetentionLease> entry : leases.entrySet()) {
      long from = Math.max(entry.getValue().retainedFrom(shard.number()), operations.startOffset());
      if (entry.getValue().retainedFrom(shard.number()) < 0 || from >= end) {
        continue;
      }
      long bytes = estimateBytes(operations, from, end);
      OptionalLong limit = limitOffset(from, end, bytes, maxBytes);
      if (limit.isPresent()) {
        LOG.warn(
            "{}: the lease of {} retains about {} bytes of the log, more than {}, and must end",
            shard,
            entry.getKey(),
            bytes,
            maxBytes);
        context
            .node()
            .leader()
            .leaseOverLimit(
                new ClusterCalls.LeaseOverLimit(
                    shard, entry.getKey(), entry.getValue().generation(), limit.getAsLong()),
                TIMEOUT);
      }
    }
  }

  /** The first offset from which at most {@code maxBytes} are retained; empty if all may be. */
  static OptionalLong limitOffset(long from, long end, long bytes, long maxBytes) {
    if (bytes <= maxBytes) {
      return OptionalLong.empty();
    }
    double share = (double) maxBytes / bytes;
    return OptionalLong.of(end - (long) ((end - from) * share));
  }

  /** Estimates the bytes of the records in {@code [from, end)}. */
  static long estimateBytes(PartitionLog log, long from, long end) throws LogException {
    long records = end - from;
    long samples = Math.min(SAMPLES, records);
    long[] sampled = {0};
    for (long i = 0; i < samples; i++) {
      long offset = from + (long) ((double) records / samples * i);
      log.read(offset, offset + 1, stored -> sampled[0] += stored.record().sizeBytes());
    }
    return (long) ((double) sampled[0] / samples * records);
  }
}
