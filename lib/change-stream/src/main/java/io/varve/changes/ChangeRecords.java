package io.varve.changes;

import io.varve.events.MalformedRecordException;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.log.kafka.KafkaRecords;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Decodes the records of an index's operations. */
final class ChangeRecords {

  private ChangeRecords() {}

  static RawRecord raw(ConsumerRecord<byte[], byte[]> record) {
    return KafkaRecords.stored(record).record();
  }

  /**
   * @throws ChangeStreamException.Unreadable this version can't read the operation
   */
  static Change change(ConsumerRecord<byte[], byte[]> record, IndexNames names) {
    ChangeTopic topic = ChangeTopic.of(record.topic());
    try {
      return Change.of(
          names.name(topic.indexUuid()),
          record.partition(),
          record.offset(),
          OperationCodec.decode(raw(record)));
    } catch (MalformedRecordException e) {
      throw new ChangeStreamException.Unreadable(name(record), e);
    }
  }

  static String name(ConsumerRecord<?, ?> record) {
    return "the record at offset "
        + record.offset()
        + " of shard "
        + record.partition()
        + " of ["
        + record.topic()
        + "]";
  }
}
