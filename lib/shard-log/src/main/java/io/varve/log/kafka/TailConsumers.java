package io.varve.log.kafka;

import io.varve.process.Ticker;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two consumers of a {@link KafkaTail}, of which one is in use. The prompt one waits briefly at
 * the broker for new records, the patient one longer ({@link KafkaLogConfig.Fetch}). New records
 * end the wait of either consumer, so both deliver them equally fast. A consumer has only one
 * request in flight to a broker, however: a patient consumer would request a partition that was
 * just added or resumed only after its wait. An idle prompt consumer costs the broker many requests
 * per second.
 *
 * <pre>
 *   partitions change, one is paused or resumed     prompt
 *   nothing like that for 10 s, none is paused      patient
 * </pre>
 *
 * <p>A switch keeps each position with the leader epoch of the record before it. By that epoch, a
 * consumer notices that the broker's log was truncated before the position and has grown past it
 * again; a position without an epoch is taken as valid. Positions are kept here, because a consumer
 * does not disclose epochs, and blocks while it validates a position.
 *
 * <p>Only {@link #wakeup} may be called by threads other than the tail's.
 */
final class TailConsumers implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(TailConsumers.class);

  static final Duration CALM_AFTER = Duration.ofSeconds(10);

  /** Nothing is read meanwhile. */
  private static final Duration VALID_WITHIN = Duration.ofSeconds(1);

  /** A consumer and the count of its connections. */
  private record Counted(Consumer<byte[], byte[]> consumer, NewConnections connections) {

    static Counted of(Consumer<byte[], byte[]> consumer) {
      return new Counted(consumer, new NewConnections(consumer));
    }
  }

  private final Supplier<? extends Consumer<byte[], byte[]>> prompts;
  private final Supplier<? extends Consumer<byte[], byte[]>> patients;
  private final Ticker ticker;
  private final Map<TopicPartition, OffsetAndMetadata> positions = new HashMap<>();
  private final LogEnds ends = new LogEnds();
  private long pollBeganNanos;
  private Counted prompt;
  private @Nullable Counted patient;
  private volatile Counted current;
  private long changedNanos;

  /**
   * @param prompts creates prompt consumers
   * @param patients creates patient ones
   */
  TailConsumers(
      Supplier<? extends Consumer<byte[], byte[]>> prompts,
      Supplier<? extends Consumer<byte[], byte[]>> patients,
      Ticker ticker) {
    this.prompts = prompts;
    this.patients = patients;
    this.ticker = ticker;
    this.prompt = Counted.of(prompts.get());
    this.current = prompt;
    this.changedNanos = ticker.nanos();
  }

  Consumer<byte[], byte[]> current() {
    return current.consumer();
  }

  void wakeup() {
    current.consumer().wakeup();
  }

  /** Replaces the partitions. Those that stay keep their positions; others need a {@link #seek}. */
  void assign(Set<TopicPartition> partitions) {
    current.consumer().assign(partitions);
    positions.keySet().retainAll(partitions);
  }

  /** The record before the offset was not read here, so its leader epoch is unknown. */
  void seek(TopicPartition partition, long offset) {
    current.consumer().seek(partition, offset);
    positions.put(partition, new OffsetAndMetadata(offset));
    ends.sought(partition);
  }

  ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    pollBeganNanos = ticker.nanos();
    ConsumerRecords<byte[], byte[]> records = current.consumer().poll(timeout);
    records
        .nextOffsets()
        .forEach((partition, next) -> positions.merge(partition, next, TailConsumers::later));
    return records;
  }

  /** Where the log of a partition of which the last poll returned records ended, and when. */
  Optional<LogEnds.End> logEnd(TopicPartition partition) {
    OptionalLong behind = current.consumer().currentLag(partition);
    OffsetAndMetadata position = positions.get(partition);
    return position == null || behind.isEmpty()
        ? Optional.empty()
        : ends.returned(
            partition, position.offset() + behind.getAsLong(), pollBeganNanos, ticker.nanos());
  }

  /** A response without records of a partition repeats its offset without an epoch. */
  private static OffsetAndMetadata later(OffsetAndMetadata before, OffsetAndMetadata next) {
    return next.offset() == before.offset() && next.leaderEpoch().isEmpty() ? before : next;
  }

  /** Whether the current consumer has opened connections since the last call. */
  boolean hasReconnected() {
    return current.connections().sinceLastCall();
  }

  /**
   * To be called before a change of the partitions or of their pauses.
   *
   * @return whether the current consumer is another one now
   */
  boolean usePrompt() {
    changedNanos = ticker.nanos();
    if (current.equals(prompt)) {
      return false;
    }
    switchTo(prompt);
    return true;
  }

  /**
   * Uses the patient consumer if nothing has changed for some time, and if it can validate all
   * positions soon. Its first request would lack those that are not valid, and would wait for the
   * others.
   */
  void rest() {
    if (!current.equals(prompt)
        || ticker.nanos() - changedNanos < CALM_AFTER.toNanos()
        || !prompt.consumer().paused().isEmpty()) {
      return;
    }
    Counted next = patient;
    if (next == null) {
      next = Counted.of(patients.get());
      patient = next;
    }
    next.consumer().assign(positions.keySet());
    try {
      placeAndValidate(next.consumer());
    } catch (TimeoutException e) {
      LOG.debug("the prompt consumer stays in use: positions could not be validated", e);
      next.consumer().assign(Set.of());
      changedNanos = ticker.nanos();
      return;
    }
    use(next);
  }

  private void placeAndValidate(Consumer<byte[], byte[]> consumer) {
    // A consumer that does not know the leaders takes every position as valid.
    consumer.endOffsets(positions.keySet(), VALID_WITHIN);
    positions.forEach(consumer::seek);
    for (TopicPartition partition : positions.keySet()) {
      consumer.position(partition, VALID_WITHIN);
    }
  }

  /** Replaces both consumers, with the assignment and the positions of the current one. */
  void renew() {
    Counted last = current;
    Counted lastPatient = patient;
    Counted next = Counted.of(prompts.get());
    try {
      switchTo(next);
    } catch (RuntimeException e) {
      next.consumer().close();
      throw e;
    }
    prompt = next;
    patient = null;
    changedNanos = ticker.nanos();
    close(last);
    if (lastPatient != null && !lastPatient.equals(last)) {
      close(lastPatient);
    }
  }

  private void switchTo(Counted next) {
    next.consumer().assign(positions.keySet());
    positions.forEach(next.consumer()::seek);
    use(next);
  }

  private void use(Counted next) {
    Consumer<byte[], byte[]> last = current.consumer();
    current = next;
    ends.allSought();
    last.assign(Set.of());
    // A wake-up of the last consumer may have been meant for a change that is not assigned yet.
    next.consumer().wakeup();
  }

  /**
   * Does not wait for the request in flight, whose answer may take as long as the wait of a patient
   * consumer.
   */
  private static void close(Counted consumer) {
    consumer.consumer().close(CloseOptions.timeout(Duration.ZERO));
  }

  @Override
  public void close() {
    close(prompt);
    Counted other = patient;
    if (other != null) {
      close(other);
    }
  }
}
