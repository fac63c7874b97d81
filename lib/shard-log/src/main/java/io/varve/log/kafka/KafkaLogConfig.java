package io.varve.log.kafka;

import io.varve.log.MessageLog;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Kafka client settings of a process.
 *
 * @param appendTimeoutMillis limit for finding a partition's leader, and again for its answer;
 *     after that, the outcome of an append is reported as unknown
 * @param readTimeoutMillis time without a record after which a read fails
 * @param maxInFlightBytes limit of bytes of appends in flight; further appends are refused as full
 * @param maxRecordBytes the largest record, key and header included
 * @param compression of the producer's batches: {@code none}, {@code lz4} or {@code zstd}
 * @param fetch limits of requests to brokers that read
 * @param security of the connections
 */
public record KafkaLogConfig(
    String bootstrapServers,
    String clientId,
    int appendTimeoutMillis,
    int readTimeoutMillis,
    long maxInFlightBytes,
    int maxRecordBytes,
    String compression,
    Fetch fetch,
    Security security) {

  /**
   * The properties of Kafka's clients for encryption and authentication. They may contain secrets,
   * so they are not shown as text.
   *
   * @param stores changes with the content of the key and trust stores that the properties name, so
   *     that clients with former stores differ from clients with the new ones
   */
  public record Security(Map<String, String> properties, int stores) {

    public static final Security NONE = new Security(Map.of(), 0);

    public Security {
      properties = Map.copyOf(properties);
    }

    @Override
    public String toString() {
      return "Security" + properties.keySet();
    }
  }

  /**
   * Limits of one read by a consumer that follows a partition, and of a request for offsets.
   *
   * @param maxRecords records that one read delivers
   * @param maxBytes bytes that one request asks for; the first batch is delivered whatever its size
   * @param promptWaitMillis wait of the broker for new records while partitions are added, paused
   *     or resumed: these wait for the request in progress, so this is short, see {@link
   *     TailConsumers}. New records complete a request immediately in any case
   * @param patientWaitMillis wait of the broker for new records otherwise
   * @param offsetTimeoutMillis after which a request for the first or the last offset of a
   *     partition fails. A client retries for that long, even if the topic does not exist
   */
  public record Fetch(
      int maxRecords,
      int maxBytes,
      int promptWaitMillis,
      int patientWaitMillis,
      int offsetTimeoutMillis) {

    /** For consumers without other needs. */
    public static final Fetch DEFAULT = new Fetch(5_000, 16 << 20, 100, 5_000, 30_000);

    public Fetch {
      if (maxRecords < 1
          || maxBytes < 1
          || promptWaitMillis < 1
          || patientWaitMillis < promptWaitMillis
          || offsetTimeoutMillis < 1) {
        throw new IllegalArgumentException(
            ("limits of a read must be >= 1, and the patient wait >= the prompt one, were"
                    + " %d records, %d bytes, %d, %d and %d ms")
                .formatted(
                    maxRecords,
                    maxBytes,
                    promptWaitMillis,
                    patientWaitMillis,
                    offsetTimeoutMillis));
      }
    }
  }

  /** Upper bound of the overhead of a batch with a single record. */
  static final int BATCH_OVERHEAD_BYTES = 64 << 10;

  private static final int BATCH_BYTES = 256 << 10;

  private static final int SHORTEST_APPEND_MILLIS = 1_000;
  private static final int LONGEST_APPEND_MILLIS = 600_000;

  /** Expiry of the metadata of idle topics; the next record looks them up again. */
  private static final long METADATA_IDLE_MILLIS = MessageLog.FORGOTTEN_AFTER.toMillis() * 3 / 5;

  /** Interval of the check for idle topics. */
  private static final long METADATA_AGE_MILLIS =
      MessageLog.FORGOTTEN_AFTER.toMillis() - METADATA_IDLE_MILLIS;

  /**
   * The pause before the first retry of a request; it doubles with each retry, up to a second. For
   * a short time after announcing a new topic, a broker may answer "not the leader".
   */
  static final int RETRY_BACKOFF_MILLIS = 10;

  public KafkaLogConfig {
    Objects.requireNonNull(bootstrapServers, "bootstrapServers");
    if (appendTimeoutMillis < 100 || readTimeoutMillis < 100) {
      throw new IllegalArgumentException(
          "timeouts of the log must be >= 100 ms, were "
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
          "varve.kafka.compression must be none, lz4 or zstd, was [" + compression + "]");
    }
  }

  /** With {@link Fetch#DEFAULT}, without encryption and authentication. */
  public KafkaLogConfig(
      String bootstrapServers,
      String clientId,
      int appendTimeoutMillis,
      int readTimeoutMillis,
      long maxInFlightBytes,
      int maxRecordBytes,
      String compression) {
    this(
        bootstrapServers,
        clientId,
        appendTimeoutMillis,
        readTimeoutMillis,
        maxInFlightBytes,
        maxRecordBytes,
        compression,
        Fetch.DEFAULT,
        Security.NONE);
  }

  public static KafkaLogConfig of(String bootstrapServers, String clientId) {
    return new KafkaLogConfig(
        bootstrapServers, clientId, 10_000, 30_000, 64L << 20, 15 << 20, "lz4");
  }

  public KafkaLogConfig withFetch(Fetch changed) {
    return with(appendTimeoutMillis, compression, changed, security);
  }

  public KafkaLogConfig withSecurity(Security changed) {
    return with(appendTimeoutMillis, compression, fetch, changed);
  }

  /**
   * @throws IllegalArgumentException for an unknown compression
   */
  public KafkaLogConfig withCompression(String other) {
    return with(appendTimeoutMillis, other, fetch, security);
  }

  /**
   * @throws IllegalArgumentException for a timeout out of range
   */
  public KafkaLogConfig withAppendTimeout(int millis) {
    if (millis < SHORTEST_APPEND_MILLIS || millis > LONGEST_APPEND_MILLIS) {
      throw new IllegalArgumentException(
          "varve.kafka.append-timeout-millis must be %d to %d, was %d"
              .formatted(SHORTEST_APPEND_MILLIS, LONGEST_APPEND_MILLIS, millis));
    }
    return with(millis, compression, fetch, security);
  }

  private KafkaLogConfig with(
      int appendMillis, String otherCompression, Fetch otherFetch, Security otherSecurity) {
    return new KafkaLogConfig(
        bootstrapServers,
        clientId,
        appendMillis,
        readTimeoutMillis,
        maxInFlightBytes,
        maxRecordBytes,
        otherCompression,
        otherFetch,
        otherSecurity);
  }

  /**
   * For every client. A client keeps the metrics of each topic that it has ever used, and each of
   * Kafka's own reporters would keep another copy of them. See {@link ClientMetrics}.
   */
  Map<String, Object> client() {
    Map<String, Object> c = new HashMap<>(security.properties());
    c.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers);
    c.put(CommonClientConfigs.CLIENT_ID_CONFIG, clientId);
    c.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "");
    c.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
    c.put(CommonClientConfigs.RETRY_BACKOFF_MS_CONFIG, RETRY_BACKOFF_MILLIS);
    c.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, 500);
    return c;
  }

  Map<String, Object> producer() {
    Map<String, Object> p = client();
    p.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    p.put(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class);
    p.put(ProducerConfig.ACKS_CONFIG, "all");
    p.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    p.put(ProducerConfig.LINGER_MS_CONFIG, 0);
    p.put(ProducerConfig.BATCH_SIZE_CONFIG, BATCH_BYTES);
    p.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
    p.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, maxRecordBytes + BATCH_OVERHEAD_BYTES);
    // The limit on bytes in flight refuses appends before the producer's memory could block a
    // caller.
    p.put(
        ProducerConfig.BUFFER_MEMORY_CONFIG,
        maxInFlightBytes * 2 + maxRecordBytes + 64L * BATCH_BYTES);
    // Callers never wait: appends that the producer can't accept are queued in their lane.
    p.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
    p.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, METADATA_IDLE_MILLIS);
    p.put(ProducerConfig.METADATA_MAX_AGE_CONFIG, METADATA_AGE_MILLIS);
    p.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(50, appendTimeoutMillis / 2));
    p.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, appendTimeoutMillis);
    p.put(ProducerConfig.SEND_BUFFER_CONFIG, -1);
    p.put(ProducerConfig.RECEIVE_BUFFER_CONFIG, -1);
    return p;
  }

  /** For a consumer whose partitions do not change: the broker waits long for new records. */
  Map<String, Object> patientConsumer() {
    Map<String, Object> c = consumer();
    c.put(
        ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG,
        Math.max(
            fetch.promptWaitMillis(), Math.min(fetch.patientWaitMillis(), readTimeoutMillis / 4)));
    return c;
  }

  /** For a consumer that reads existing records: it need not wait for new ones. */
  Map<String, Object> reader() {
    Map<String, Object> c = consumer();
    c.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 1);
    return c;
  }

  Map<String, Object> admin() {
    Map<String, Object> a = client();
    a.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, readTimeoutMillis);
    a.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(50, readTimeoutMillis / 2));
    return a;
  }

  Map<String, Object> consumer() {
    Map<String, Object> c = client();
    c.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    c.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
    c.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    c.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    c.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    c.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, fetch.maxBytes());
    c.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, fetch.promptWaitMillis());
    c.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, fetch.maxRecords());
    c.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, readTimeoutMillis);
    c.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(50, readTimeoutMillis / 2));
    c.put(ConsumerConfig.SEND_BUFFER_CONFIG, -1);
    c.put(ConsumerConfig.RECEIVE_BUFFER_CONFIG, -1);
    return c;
  }
}
