package io.varve.log.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * Derives, from the batches of a consumer, at which offset the log of a partition ended at a given
 * moment.
 *
 * <p>The response to a fetch has the high watermark of the partition at the moment of the response.
 * A consumer requests a partition again only once it has returned all records of the previous
 * response. So a batch with another high watermark was requested after the start of the poll that
 * returned the batch before, and the log ended at that high watermark at some moment since then.
 * The first batch after a seek proves nothing.
 */
final class LogEnds {

  /**
   * The log ended at that offset at some moment between {@code ageNanos} ago and now.
   *
   * @param offset after the last record
   */
  record End(long offset, long ageNanos) {}

  private record Batch(long highWatermark, long pollBeganNanos) {}

  private final Map<TopicPartition, Batch> last = new HashMap<>();

  /**
   * A poll has returned records of the partition.
   *
   * @return empty if these records prove nothing
   */
  Optional<End> returned(
      TopicPartition partition, long highWatermark, long pollBeganNanos, long nowNanos) {
    Batch before = last.put(partition, new Batch(highWatermark, pollBeganNanos));
    return before == null || before.highWatermark() == highWatermark
        ? Optional.empty()
        : Optional.of(new End(highWatermark, nowNanos - before.pollBeganNanos()));
  }

  /** The position of the partition was set. */
  void sought(TopicPartition partition) {
    last.remove(partition);
  }

  /** The positions of all partitions were set, or another consumer reads them. */
  void allSought() {
    last.clear();
  }
}
