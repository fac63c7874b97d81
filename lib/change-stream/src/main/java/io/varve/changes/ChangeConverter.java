package io.varve.changes;

import java.lang.reflect.Type;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.support.converter.MessagingMessageConverter;

/** Gives listeners a {@link Change}. */
final class ChangeConverter extends MessagingMessageConverter {

  private final IndexNames names;

  ChangeConverter(IndexNames names) {
    this.names = names;
  }

  @Override
  @SuppressWarnings("unchecked")
  protected Object extractAndConvertValue(ConsumerRecord<?, ?> record, @Nullable Type type) {
    return ChangeRecords.change((ConsumerRecord<byte[], byte[]>) record, names);
  }
}
