package io.varve.log.kafka;

import io.varve.events.RawRecord;
import io.varve.log.LogException;
import io.varve.log.PartitionLog.AppendCallback;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.KafkaProducer;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All appends of a process, through one idempotent producer, so that batches of many shards share
 * requests.
 *
 * <p>A fatal producer error replaces the producer; its appends in flight end as unknown.
 */
final class KafkaAppender implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(KafkaAppender.class);
  static final String HEADER = "varve";
  private static final List<Header> NO_HEADERS = List.of();

  private final KafkaLogConfig config;
  private final ConcurrentMap<TopicPartition, AppendLane> lanes = new ConcurrentHashMap<>();
  private final AtomicLong inFlightBytes = new AtomicLong();
  private volatile @Nullable KafkaProducer<byte[], byte[]> producer;
  private boolean closed;

  KafkaAppender(KafkaLogConfig config) {
    this.config = config;
  }

  /** Created at the first append: read-only users need none. */
  private KafkaProducer<byte[], byte[]> producer() {
    KafkaProducer<byte[], byte[]> current = producer;
    if (current != null) {
      return current;
    }
    synchronized (this) {
      KafkaProducer<byte[], byte[]> made = producer;
      if (made == null) {
        if (closed) {
          throw new IllegalStateException("the log is closed");
        }
        made = new KafkaProducer<>(config.producer());
        producer = made;
      }
      return made;
    }
  }

  void append(TopicPartition partition, RawRecord record, AppendCallback callback)
      throws LogException.Full {
    int size = record.sizeBytes();
    if (size > config.maxRecordBytes()) {
      throw new IllegalArgumentException(
          "a record of " + size + " bytes passes the limit of " + config.maxRecordBytes());
    }
    if (inFlightBytes.addAndGet(size) > config.maxInFlightBytes()) {
      inFlightBytes.addAndGet(-size);
      throw new LogException.Full(
          "more than " + config.maxInFlightBytes() + " bytes of appends are in flight");
    }
    List<Header> headers =
        record.header().length == 0
            ? NO_HEADERS
            : List.of(new RecordHeader(HEADER, record.header()));
    PendingAppend append =
        new PendingAppend(
            new ProducerRecord<>(
                partition.topic(),
                partition.partition(),
                null,
                record.key(),
                record.value(),
                headers),
            callback,
            () -> inFlightBytes.addAndGet(-size),
            this::failed);
    lanes.computeIfAbsent(partition, p -> newLane()).append(append);
  }

  private AppendLane newLane() {
    return new AppendLane(Duration.ofMillis(config.appendTimeoutMillis()), this::offer);
  }

  private boolean offer(PendingAppend append) {
    KafkaProducer<byte[], byte[]> sender;
    try {
      sender = producer();
    } catch (KafkaException | IllegalStateException e) {
      append.failElsewhere(e);
      return true;
    }
    return append.send(sender);
  }

  private void failed(KafkaProducer<byte[], byte[]> failing, Exception failure) {
    if (endsProducer(failure)) {
      replace(failing, failure);
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

  private synchronized void replace(KafkaProducer<byte[], byte[]> failing, Exception failure) {
    if (closed || !failing.equals(producer)) {
      return;
    }
    LOG.warn("replacing the producer of {} after a fatal error", config.clientId(), failure);
    // The next append creates another producer.
    producer = null;
    // Not on the producer's own thread, which may be the current one: close would wait for itself.
    Thread.ofVirtual().start(() -> failing.close(Duration.ZERO));
  }

  @Override
  public synchronized void close() {
    closed = true;
    KafkaProducer<byte[], byte[]> last = producer;
    if (last != null) {
      last.close(Duration.ofMillis(config.appendTimeoutMillis()));
    }
  }
}
