package io.varve.log.kafka;

import io.varve.log.LogException;
import io.varve.log.PartitionLog.RecordVisitor;
import io.varve.process.Deadline;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;

/**
 * Reads of ranges and of end offsets, each on a consumer from a pool. {@link OffsetTurns} bounds
 * the number of concurrent offset requests.
 */
final class KafkaReaders implements AutoCloseable {

  private static final int KEPT = 4;

  /** A consumer keeps metrics of each topic that it has read, including deleted topics. */
  private static final int MAX_USES = 1_000;

  /** Enough to end the fetch sessions of brokers that answer. */
  private static final Duration CLOSE_TIMEOUT = Duration.ofMillis(100);

  private final Supplier<? extends Consumer<byte[], byte[]>> consumers;
  private final OffsetTurns turns;
  private final Duration timeout;
  private final Duration offsetTimeout;
  private final Ticker clock;
  private final ConcurrentLinkedDeque<Reader> idle = new ConcurrentLinkedDeque<>();

  /**
   * @param timeout without a record, after which a read fails
   * @param offsetTimeout of an offset request that has its turn
   */
  KafkaReaders(
      Supplier<? extends Consumer<byte[], byte[]>> consumers,
      OffsetTurns turns,
      Duration timeout,
      Duration offsetTimeout,
      Ticker clock) {
    this.consumers = consumers;
    this.turns = turns;
    this.timeout = timeout;
    this.offsetTimeout = offsetTimeout;
    this.clock = clock;
  }

  private record Reader(Consumer<byte[], byte[]> consumer, int uses) {

    Reader used() {
      return new Reader(consumer, uses + 1);
    }
  }

  @FunctionalInterface
  private interface Use<T> {
    T with(Consumer<byte[], byte[]> consumer) throws LogException;
  }

  private <T> T use(Use<T> use) throws LogException {
    Reader reader = reader();
    Consumer<byte[], byte[]> consumer = reader.consumer();
    boolean reusable = false;
    try {
      T result = use.with(consumer);
      consumer.unsubscribe();
      reusable = true;
      return result;
    } catch (OffsetOutOfRangeException e) {
      throw new LogException.OutOfRange(String.valueOf(e.getMessage()));
    } catch (KafkaException e) {
      throw unavailable(e);
    } finally {
      if (reusable && idle.size() < KEPT && reader.uses() < MAX_USES) {
        idle.addFirst(reader.used());
      } else {
        close(consumer);
      }
    }
  }

  private Reader reader() throws LogException.Unavailable {
    Reader pooled = idle.pollFirst();
    try {
      return pooled == null ? new Reader(consumers.get(), 0) : pooled;
    } catch (KafkaException e) {
      throw unavailable(e);
    }
  }

  /**
   * The interrupt flag of the thread stays set, as it is when Kafka throws its exception for an
   * interrupt.
   */
  private static LogException.Unavailable unavailable(KafkaException failure) {
    return new LogException.Unavailable(
        failure.getClass().getSimpleName() + ": " + failure.getMessage(), failure);
  }

  /**
   * Waits only briefly for requests in flight, which an unavailable broker does not answer. On an
   * interrupted thread, close would throw an exception for the interrupt in place of the outcome of
   * the read, and leave connections open.
   */
  private static void close(Consumer<byte[], byte[]> consumer) {
    boolean interrupted = Thread.interrupted();
    try {
      consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
    } catch (InterruptException e) {
      interrupted = true;
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  void read(TopicPartition partition, long from, long to, RecordVisitor visitor)
      throws LogException {
    if (from >= to) {
      requireEmptyRange(partition, from, to);
      return;
    }
    use(consumer -> {
      consumer.assign(List.of(partition));
      consumer.seek(partition, from);
      visit(consumer, partition, to, visitor);
      return true;
    });
  }

  private void requireEmptyRange(TopicPartition partition, long from, long to) throws LogException {
    long start = startOffset(partition);
    long end = endOffset(partition);
    if (from != to || from < start || from > end) {
      throw new LogException.OutOfRange(
          "[" + from + ", " + to + ") is not in [" + start + ", " + end + ") of " + partition);
    }
  }

  private void visit(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, long to, RecordVisitor visitor)
      throws LogException {
    Deadline progress = Deadline.in(timeout, clock);
    long position = consumer.position(partition);
    while (position < to) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
        if (record.offset() < to) {
          visitor.visit(KafkaRecords.stored(record));
        }
      }
      long now = consumer.position(partition);
      if (now > position) {
        position = now;
        progress = Deadline.in(timeout, clock);
        continue;
      }
      requireEnd(consumer, partition, to);
      if (progress.isOver()) {
        throw new LogException.Unavailable(
            partition
                + " returned nothing for "
                + timeout.toMillis()
                + " ms at offset "
                + position);
      }
    }
  }

  /** Checked only when no record arrives: most callers know that the range exists. */
  private static void requireEnd(
      Consumer<byte[], byte[]> consumer, TopicPartition partition, long to)
      throws LogException.OutOfRange {
    long end = consumer.endOffsets(Set.of(partition)).get(partition);
    if (to > end) {
      throw new LogException.OutOfRange(partition + " ends at " + end + ", asked for up to " + to);
    }
  }

  long startOffset(TopicPartition partition) throws LogException.Unavailable {
    return offset(
        partition, consumer -> consumer.beginningOffsets(Set.of(partition), offsetTimeout));
  }

  long endOffset(TopicPartition partition) throws LogException.Unavailable {
    return offset(partition, consumer -> consumer.endOffsets(Set.of(partition), offsetTimeout));
  }

  private long offset(TopicPartition partition, Use<Map<TopicPartition, Long>> ask)
      throws LogException.Unavailable {
    try (OffsetTurns.Turn turn = turns.await(partition)) {
      Long offset = use(ask).get(partition);
      turn.answered();
      if (offset == null) {
        throw new LogException.Unavailable(partition + " is not known");
      }
      return offset;
    } catch (LogException.Unavailable e) {
      throw e;
    } catch (LogException e) {
      throw new LogException.Unavailable(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public void close() {
    for (Reader reader = idle.pollFirst(); reader != null; reader = idle.pollFirst()) {
      close(reader.consumer());
    }
  }
}
