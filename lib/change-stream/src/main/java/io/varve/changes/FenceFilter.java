package io.varve.changes;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.springframework.kafka.listener.adapter.RecordFilterStrategy;

/**
 * Drops fences and the records of deposed primaries. A record that is delivered again because its
 * listener failed is not dropped.
 */
final class FenceFilter implements RecordFilterStrategy<byte[], byte[]> {

  @Override
  public boolean filter(ConsumerRecord<byte[], byte[]> record) {
    return !PartitionFences.ofThread().accepts(record);
  }
}
