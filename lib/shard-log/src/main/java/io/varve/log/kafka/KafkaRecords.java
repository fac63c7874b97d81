package io.varve.log.kafka;

import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Conversion of Kafka's records. */
public final class KafkaRecords {

  private static final byte[] NO_HEADER = new byte[0];

  private KafkaRecords() {}

  public static StoredRecord stored(ConsumerRecord<byte[], byte[]> record) {
    Header header = record.headers().lastHeader(KafkaAppender.HEADER);
    return new StoredRecord(
        record.offset(),
        record.timestamp(),
        new RawRecord(record.key(), record.value(), header == null ? NO_HEADER : header.value()));
  }
}
