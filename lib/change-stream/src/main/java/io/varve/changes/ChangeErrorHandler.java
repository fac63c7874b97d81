package io.varve.changes;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.springframework.kafka.listener.CommonContainerStoppingErrorHandler;
import org.springframework.kafka.listener.CommonErrorHandler;
import org.springframework.kafka.listener.DefaultErrorHandler;
import org.springframework.kafka.listener.MessageListenerContainer;
import org.springframework.kafka.support.TopicPartitionOffset;
import org.springframework.util.backoff.ExponentialBackOff;

/**
 * Stops the container at a {@link ChangeStreamException}, and when the log no longer has the
 * group's offset. All other failures are left to another handler.
 */
final class ChangeErrorHandler implements CommonErrorHandler {

  private static final long FIRST_RETRY_MILLIS = 500;
  private static final long LAST_RETRY_MILLIS = 30_000;

  private final CommonErrorHandler other;
  private final java.util.function.Consumer<ChangeStreamException> told;
  private final CommonErrorHandler stopping = new CommonContainerStoppingErrorHandler();

  /**
   * @param told receives the failure at which a container is stopped
   */
  ChangeErrorHandler(
      CommonErrorHandler other, java.util.function.Consumer<ChangeStreamException> told) {
    this.other = other;
    this.told = told;
  }

  /** Delivers a change again until its listener succeeds. */
  static CommonErrorHandler retrying() {
    ExponentialBackOff backOff = new ExponentialBackOff(FIRST_RETRY_MILLIS, 2);
    backOff.setMaxInterval(LAST_RETRY_MILLIS);
    DefaultErrorHandler handler = new DefaultErrorHandler(backOff);
    handler.setClassifications(Map.of(), true);
    return handler;
  }

  /** The handler of a failure, and the failure that it receives. */
  private record Handling(CommonErrorHandler handler, Exception failure) {}

  private Handling handling(Exception failure) {
    Optional<ChangeStreamException> fatal = cause(failure);
    fatal.ifPresent(told);
    return fatal.isPresent() ? new Handling(stopping, fatal.get()) : new Handling(other, failure);
  }

  private static Optional<ChangeStreamException> cause(@Nullable Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ChangeStreamException fatal) {
        return Optional.of(fatal);
      }
      if (cause instanceof OffsetOutOfRangeException truncated) {
        return Optional.of(
            new ChangeStreamException.Lost(
                "the log no longer has the changes since the group's offsets "
                    + truncated.offsetOutOfRangePartitions()
                    + ". Read the documents of the index again, then move the group's offsets to"
                    + " the beginning of the log",
                truncated));
      }
    }
    return Optional.empty();
  }

  @Override
  public void handleRemaining(
      Exception failure,
      List<ConsumerRecord<?, ?>> records,
      Consumer<?, ?> consumer,
      MessageListenerContainer container) {
    Handling by = handling(failure);
    by.handler().handleRemaining(by.failure(), records, consumer, container);
  }

  @Override
  public boolean handleOne(
      Exception failure,
      ConsumerRecord<?, ?> record,
      Consumer<?, ?> consumer,
      MessageListenerContainer container) {
    Handling by = handling(failure);
    if (by.handler().equals(other)) {
      return other.handleOne(failure, record, consumer, container);
    }
    // Spring's handler that stops a container does not handle single records.
    stopping.handleRemaining(by.failure(), List.of(record), consumer, container);
    return false;
  }

  @Override
  public void handleBatch(
      Exception failure,
      ConsumerRecords<?, ?> records,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable again) {
    Handling by = handling(failure);
    by.handler().handleBatch(by.failure(), records, consumer, container, again);
  }

  @Override
  public <K, V> ConsumerRecords<K, V> handleBatchAndReturnRemaining(
      Exception failure,
      ConsumerRecords<?, ?> records,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable again) {
    Handling by = handling(failure);
    return by.handler()
        .handleBatchAndReturnRemaining(by.failure(), records, consumer, container, again);
  }

  @Override
  public void handleOtherException(
      Exception failure,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      boolean batchListener) {
    Handling by = handling(failure);
    by.handler().handleOtherException(by.failure(), consumer, container, batchListener);
  }

  @Override
  public boolean seeksAfterHandling() {
    return other.seeksAfterHandling();
  }

  @Override
  public boolean deliveryAttemptHeader() {
    return other.deliveryAttemptHeader();
  }

  @Override
  public int deliveryAttempt(TopicPartitionOffset record) {
    return other.deliveryAttempt(record);
  }

  @Override
  public void clearThreadState() {
    other.clearThreadState();
  }

  @Override
  public boolean isAckAfterHandle() {
    return other.isAckAfterHandle();
  }

  @Override
  public void setAckAfterHandle(boolean ack) {
    other.setAckAfterHandle(ack);
  }

  @Override
  public void onPartitionsAssigned(
      Consumer<?, ?> consumer, Collection<TopicPartition> partitions, Runnable publishPause) {
    other.onPartitionsAssigned(consumer, partitions, publishPause);
  }
}
