package io.varve.log.kafka;

import io.varve.log.PartitionLog.AppendCallback;
import io.varve.process.FatalErrors;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * An append in flight. The producer reports failures by throwing, by calling back on the sending
 * thread, or from its own thread; all of them end here, once, and never on the sending thread,
 * which may hold the lock that orders appends.
 */
final class PendingAppend implements Callback {

  private final ProducerRecord<byte[], byte[]> record;
  private final AppendCallback callback;
  private final Runnable ended;
  private final BiConsumer<SharedProducer, Exception> onFailure;
  private volatile @Nullable Thread sending;
  private volatile @Nullable Attempt attempt;
  private boolean refused;

  /**
   * Set while a producer has the record, until the producer refuses the record or the append ends.
   */
  private record Attempt(SharedProducer sender, Runnable left) {}

  /**
   * @param ended runs before the callback
   * @param onFailure receives the producer that failed and its error
   */
  PendingAppend(
      ProducerRecord<byte[], byte[]> record,
      AppendCallback callback,
      Runnable ended,
      BiConsumer<SharedProducer, Exception> onFailure) {
    this.record = record;
    this.callback = callback;
    this.ended = ended;
    this.onFailure = onFailure;
  }

  /**
   * Returns false if the producer can't accept the record now: nothing was sent, and the caller may
   * retry.
   *
   * @param left runs once, when the producer has refused the record, or before the append ends
   */
  @SuppressWarnings("FutureReturnValueIgnored")
  boolean send(SharedProducer sender, Runnable left) {
    attempt = new Attempt(sender, left);
    refused = false;
    sending = Thread.currentThread();
    try {
      sender.producer().send(record, this);
    } catch (KafkaException | IllegalStateException e) {
      failElsewhere(e);
    } finally {
      sending = null;
    }
    if (refused) {
      leaveProducer();
    }
    return !refused;
  }

  /** Runs on the producer's thread, whose own handler would only log a fatal error. */
  @Override
  public void onCompletion(RecordMetadata metadata, @Nullable Exception failure) {
    try {
      completed(metadata, failure);
    } catch (Error e) {
      FatalErrors.endOn(e);
      throw e;
    }
  }

  private void completed(RecordMetadata metadata, @Nullable Exception failure) {
    if (failure == null) {
      leaveProducer();
      ended.run();
      callback.appended(metadata.offset(), metadata.timestamp());
    } else if (!Thread.currentThread().equals(sending)) {
      fail(failure);
    } else if (failure instanceof TimeoutException) {
      refused = true;
    } else {
      failElsewhere(failure);
    }
  }

  /** Returns the producer of the last attempt, if the append is still with it. */
  private @Nullable SharedProducer leaveProducer() {
    Attempt last = attempt;
    if (last == null) {
      return null;
    }
    attempt = null;
    last.left().run();
    return last.sender();
  }

  /** Ends an append that was never sent. */
  void giveUp(String reason) {
    ended.run();
    callback.unknown(reason);
  }

  void failElsewhere(Exception failure) {
    Thread.ofVirtual().start(() -> fail(failure));
  }

  private void fail(Exception failure) {
    SharedProducer failing = leaveProducer();
    ended.run();
    try {
      if (failing != null) {
        onFailure.accept(failing, failure);
      }
    } finally {
      callback.unknown(failure.getClass().getSimpleName() + ": " + failure.getMessage());
    }
  }
}
