package io.varve.log.kafka;

import io.varve.events.RawRecord;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog.AppendCallback;
import io.varve.process.Sleeper;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/**
 * All appends of a process, through one idempotent producer at a time, so that batches of many
 * shards share requests.
 *
 * <p>A fatal producer error replaces the producer; its appends in flight end as unknown. The lane
 * of a partition is dropped when its writer ends, or when it has been idle for as long as the
 * producer keeps the metadata of an idle topic.
 */
final class KafkaAppender implements AutoCloseable {

  static final String HEADER = "varve";
  private static final List<Header> NO_HEADERS = List.of();

  /** Number of new lanes after which idle ones are dropped. */
  private static final int SWEEP_EVERY = 64;

  private final KafkaLogConfig config;
  private final Ticker clock;
  private final Sleeper sleeper;
  private final Producers producers;
  private final ConcurrentMap<TopicPartition, AppendLane> lanes = new ConcurrentHashMap<>();
  private final AtomicInteger newLanes = new AtomicInteger();
  private final AtomicLong inFlightBytes = new AtomicLong();

  KafkaAppender(
      KafkaLogConfig config,
      Supplier<? extends Producer<byte[], byte[]>> factory,
      Ticker clock,
      Sleeper sleeper) {
    this.config = config;
    this.clock = clock;
    this.sleeper = sleeper;
    this.producers = new Producers(factory, lanes::size);
  }

  void append(TopicPartition partition, RawRecord record, AppendCallback callback)
      throws LogException.Full {
    int size = record.sizeBytes();
    if (size > config.maxRecordBytes()) {
      throw new IllegalArgumentException(
          "a record of " + size + " bytes exceeds the limit of " + config.maxRecordBytes());
    }
    if (inFlightBytes.addAndGet(size) > config.maxInFlightBytes()) {
      inFlightBytes.addAndGet(-size);
      throw new LogException.Full(
          "more than " + config.maxInFlightBytes() + " bytes of appends are in flight");
    }
    PendingAppend append =
        new PendingAppend(
            producerRecord(partition, record),
            callback,
            () -> inFlightBytes.addAndGet(-size),
            this::failed);
    while (!lane(partition).append(append)) {
      // The lane was dropped after it was looked up.
      Thread.onSpinWait();
    }
  }

  /** Drops the partition's lane if none of its appends is in flight. */
  void endAppends(TopicPartition partition) {
    lanes.computeIfPresent(partition, (_, lane) -> lane.endIfIdle() ? null : lane);
  }

  private static ProducerRecord<byte[], byte[]> producerRecord(
      TopicPartition partition, RawRecord record) {
    List<Header> headers =
        record.header().length == 0
            ? NO_HEADERS
            : List.of(new RecordHeader(HEADER, record.header()));
    return new ProducerRecord<>(
        partition.topic(), partition.partition(), null, record.key(), record.value(), headers);
  }

  private AppendLane lane(TopicPartition partition) {
    AppendLane lane = lanes.get(partition);
    if (lane != null) {
      return lane;
    }
    if (newLanes.incrementAndGet() % SWEEP_EVERY == 0) {
      dropIdleLanes();
    }
    Duration timeout = Duration.ofMillis(config.appendTimeoutMillis());
    return lanes.computeIfAbsent(
        partition, p -> new AppendLane(timeout, clock, sleeper, () -> producers.use(p)));
  }

  private void dropIdleLanes() {
    long sinceNanos = clock.nanos() - MessageLog.FORGOTTEN_AFTER.toNanos();
    lanes.values().removeIf(lane -> lane.endIfIdleSince(sinceNanos));
  }

  private void failed(SharedProducer failing, Exception failure) {
    if (endsProducer(failure)) {
      producers.failed(failing, failure);
    }
  }

  /**
   * Whether the producer must be replaced. All other errors leave it usable, with a new epoch where
   * it lost track of a partition's sequence numbers: appends to other partitions must not be
   * affected.
   */
  static boolean endsProducer(Exception failure) {
    return switch (failure) {
      case ProducerFencedException _,
          ClusterAuthorizationException _,
          UnsupportedVersionException _,
          AuthenticationException _,
          IllegalStateException _ ->
          true;
      case ApiException _ -> false;
      // An exception without a protocol error code concerns the producer itself.
      default -> failure instanceof KafkaException;
    };
  }

  @Override
  public void close() {
    producers.close(Duration.ofMillis(config.appendTimeoutMillis()));
  }
}
