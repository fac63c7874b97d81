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
   * @param told gets the failure at which a container is stopped
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

  private Optional<ChangeStreamException> fatal(Exception failure) {
    Optional<ChangeStreamException> fatal = cause(failure);
    fatal.ifPresent(told);
    return fatal;
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
                    + ". Read the documents of the index anew, then move the group's offsets to"
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
    Optional<ChangeStreamException> fatal = fatal(failure);
    if (fatal.isPresent()) {
      stopping.handleRemaining(fatal.get(), records, consumer, container);
    } else {
      other.handleRemaining(failure, records, consumer, container);
    }
  }

  @Override
  public boolean handleOne(
      Exception failure,
      ConsumerRecord<?, ?> record,
      Consumer<?, ?> consumer,
      MessageListenerContainer container) {
    Optional<ChangeStreamException> fatal = fatal(failure);
    if (fatal.isPresent()) {
      stopping.handleRemaining(fatal.get(), List.of(record), consumer, container);
      return false;
    }
    return other.handleOne(failure, record, consumer, container);
  }

  @Override
  public void handleBatch(
      Exception failure,
      ConsumerRecords<?, ?> records,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable again) {
    Optional<ChangeStreamException> fatal = fatal(failure);
    if (fatal.isPresent()) {
      stopping.handleBatch(fatal.get(), records, consumer, container, again);
    } else {
      other.handleBatch(failure, records, consumer, container, again);
    }
  }

  @Override
  public <K, V> ConsumerRecords<K, V> handleBatchAndReturnRemaining(
      Exception failure,
      ConsumerRecords<?, ?> records,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      Runnable again) {
    Optional<ChangeStreamException> fatal = fatal(failure);
    if (fatal.isPresent()) {
      stopping.handleBatch(fatal.get(), records, consumer, container, again);
      return ConsumerRecords.empty();
    }
    return other.handleBatchAndReturnRemaining(failure, records, consumer, container, again);
  }

  @Override
  public void handleOtherException(
      Exception failure,
      Consumer<?, ?> consumer,
      MessageListenerContainer container,
      boolean batchListener) {
    Optional<ChangeStreamException> fatal = fatal(failure);
    if (fatal.isPresent()) {
      stopping.handleOtherException(fatal.get(), consumer, container, batchListener);
    } else {
      other.handleOtherException(failure, consumer, container, batchListener);
    }
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
