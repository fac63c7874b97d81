package io.varve.log.kafka;

import io.varve.log.MessageLog;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How a process uses Kafka.
 *
 * @param appendTimeoutMillis for a partition's leader to be known, and then for it to answer; after
 *     which the fate of an append is given up as unknown
 * @param readTimeoutMillis without a record, after which a read is given up
 * @param maxInFlightBytes of appends under way; one more is refused as full
 * @param maxRecordBytes the largest record, key and header included
 * @param compression of the producer's batches: {@code none}, {@code lz4} or {@code zstd}
 */
public record KafkaLogConfig(
    String bootstrapServers,
    String clientId,
    int appendTimeoutMillis,
    int readTimeoutMillis,
    long maxInFlightBytes,
    int maxRecordBytes,
    String compression) {

  /** What a batch adds to its only record, with room to spare. */
  static final int BATCH_OVERHEAD_BYTES = 64 << 10;

  private static final int BATCH_BYTES = 256 << 10;

  /** Of topics that nothing was written to for a while; the next record finds them again. */
  private static final long METADATA_IDLE_MILLIS = MessageLog.FORGOTTEN_AFTER.toMillis() * 3 / 5;

  /** How often the idle ones are looked for. */
  private static final long METADATA_AGE_MILLIS =
      MessageLog.FORGOTTEN_AFTER.toMillis() - METADATA_IDLE_MILLIS;

  private static final int FETCH_BYTES = 16 << 20;

  /**
   * How long an idle fetch waits. A partition that is newly followed has to wait for the fetch that
   * is under way, so this is short; data wakes a fetch at once whatever it is.
   */
  private static final int FETCH_WAIT_MILLIS = 100;

  /**
   * The first pause before a request is repeated; each further one is twice as long, up to a
   * second. A broker answers "not the leader" for a moment after it has announced a new topic.
   */
  static final int RETRY_BACKOFF_MILLIS = 10;

  public KafkaLogConfig {
    Objects.requireNonNull(bootstrapServers, "bootstrapServers");
    if (appendTimeoutMillis < 100 || readTimeoutMillis < 100) {
      throw new IllegalArgumentException(
          "time-outs of the log must be >= 100 ms, were "
              + appendTimeoutMillis
              + " and "
              + readTimeoutMillis);
    }
    if (maxInFlightBytes < maxRecordBytes || maxRecordBytes < 1024) {
      throw new IllegalArgumentException(
          "bytes in flight ("
              + maxInFlightBytes
              + ") must be >= the largest record ("
              + maxRecordBytes
              + ") >= 1024");
    }
    if (!Set.of("none", "lz4", "zstd").contains(compression)) {
      throw new IllegalArgumentException(
          "compression must be none, lz4 or zstd, was [" + compression + "]");
    }
  }

  /** The defaults. */
  public static KafkaLogConfig of(String bootstrapServers, String clientId) {
    return new KafkaLogConfig(
        bootstrapServers, clientId, 10_000, 30_000, 64L << 20, 15 << 20, "lz4");
  }

  Map<String, Object> producer() {
    Map<String, Object> p = new HashMap<>();
    p.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    p.put(ProducerConfig.CLIENT_ID_CONFIG, clientId);
    p.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    p.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    p.put(ProducerConfig.ACKS_CONFIG, "all");
    p.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    p.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    p.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    p.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
    p.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxRecordBytes + BATCH_OVERHEAD_BYTES);
    // The bound on what is in flight refuses before the producer's own memory could block a caller.
    p.put(
        ProducerConfig.BUFFER_MEMORY_CONFIG,
        maxInFlightBytes * 2 + maxRecordBytes + 64L * BATCH_BYTES);
    // Whoever appends never waits: what the producer can't take at once waits in its lane.
    p.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
    p.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, METADATA_IDLE_MILLIS);
    p.put(ProducerConfig.METADATA_MAX_AGE_CONFIG, METADATA_AGE_MILLIS);
    p.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(50, appendTimeoutMillis / 2));
    p.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, appendTimeoutMillis);
    p.put(ProducerConfig.RETRY_BACKOFF_MS_CONFIG, RETRY_BACKOFF_MILLIS);
    p.put(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    p.put(ProducerConfig.SEND_BUFFER_CONFIG, -1);
    p.put(ProducerConfig.RECEIVE_BUFFER_CONFIG, -1);
    return p;
  }

  /** Of one that reads what is there already: it has nothing to wait for. */
  Map<String, Object> reader() {
    Map<String, Object> c = consumer();
    c.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 1);
    return c;
  }

  Map<String, Object> consumer() {
    Map<String, Object> c = new HashMap<>();
    c.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    c.put(ConsumerConfig.CLIENT_ID_CONFIG, clientId);
    c.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    c.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    c.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    c.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    c.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    c.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES);
    c.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, FETCH_WAIT_MILLIS);
    c.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 5_000);
    c.put(ConsumerConfig.RETRY_BACKOFF_MS_CONFIG, RETRY_BACKOFF_MILLIS);
    c.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    c.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, readTimeoutMillis);
    c.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(50, readTimeoutMillis / 2));
    c.put(ConsumerConfig.SEND_BUFFER_CONFIG, -1);
    c.put(ConsumerConfig.RECEIVE_BUFFER_CONFIG, -1);
    return c;
  }
}
