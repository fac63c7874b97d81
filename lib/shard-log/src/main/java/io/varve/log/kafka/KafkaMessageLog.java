package io.varve.log.kafka;

import io.varve.events.RawRecord;
import io.varve.log.LogException;
import io.varve.log.LogPartitions;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import io.varve.process.Sleeper;
import io.varve.process.Ticker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;

/**
 * The message log on Kafka: one producer, one tailing thread, a pool of consumers for range reads,
 * an admin client, which it may share with other logs.
 */
public final class KafkaMessageLog implements MessageLog {

  /** Limit for looking up which broker leads a partition. */
  private static final long LEADER_TIMEOUT_MILLIS = 5_000;

  private final KafkaLogConfig config;
  private final ClientMetrics metrics;
  private final KafkaAppender appender;
  private final KafkaReaders readers;
  private final SharedAdmins.Lease admin;
  private final KafkaTopics topics;
  private final KafkaPartitions partitions;
  private final List<KafkaTail> tails = new ArrayList<>();
  private final Set<KafkaTail> lone = new HashSet<>();
  private int tailsMade;

  /** A log whose clients report no metrics. */
  public KafkaMessageLog(KafkaLogConfig config) {
    this(config, new ClientMetrics());
  }

  /**
   * @param metrics takes the metrics of this log's producers and consumers
   */
  public KafkaMessageLog(KafkaLogConfig config, ClientMetrics metrics) {
    this.config = config;
    this.metrics = metrics;
    this.appender =
        new KafkaAppender(
            config,
            () -> new KafkaProducer<>(metrics.measured(config.producer())),
            Ticker.SYSTEM,
            Sleeper.SYSTEM);
    this.admin = SharedAdmins.OF_THIS_PROCESS.lease(config);
    this.topics = new KafkaTopics(config, admin.admin(), Ticker.SYSTEM, Sleeper.SYSTEM);
    this.readers = readers(config, metrics, topics);
    this.partitions = new KafkaPartitions(admin.admin(), config.readTimeoutMillis());
  }

  private static KafkaReaders readers(
      KafkaLogConfig config, ClientMetrics metrics, KafkaTopics topics) {
    Duration timeout = Duration.ofMillis(config.readTimeoutMillis());
    long offsetMillis = Math.min(config.readTimeoutMillis(), config.fetch().offsetTimeoutMillis());
    PartitionLeaders leaders =
        new PartitionLeaders(
            topics::ask,
            Duration.ofMillis(Math.min(offsetMillis, LEADER_TIMEOUT_MILLIS)),
            Ticker.SYSTEM);
    return new KafkaReaders(
        () -> new KafkaConsumer<>(metrics.measured(config.reader())),
        new OffsetTurns(leaders, timeout, Ticker.SYSTEM),
        timeout,
        Duration.ofMillis(offsetMillis),
        Ticker.SYSTEM);
  }

  @Override
  public PartitionLog open(String topic, int partition) {
    return new Opened(new TopicPartition(topic, partition));
  }

  @Override
  public void createTopic(TopicSpec topic) throws LogException {
    topics.create(List.of(topic));
  }

  @Override
  public void createTopics(List<TopicSpec> some) throws LogException {
    topics.create(some);
  }

  @Override
  public void deleteTopic(String topic) throws LogException {
    topics.delete(List.of(topic));
  }

  @Override
  public void deleteTopics(List<String> some) throws LogException {
    topics.delete(some);
  }

  @Override
  public Set<String> topics() throws LogException {
    return topics.names();
  }

  @Override
  public String topicId(String topic) throws LogException {
    return topics.id(topic);
  }

  /** The state of the partitions of the topics whose names begin with the prefix. */
  public LogPartitions partitions(String topicPrefix) throws LogException {
    return partitions.of(topicPrefix);
  }

  private KafkaTail newTail() {
    String name = "log-tail-" + config.clientId() + "-" + tailsMade++;
    return new KafkaTail(
        name, tailConsumers(), new TopicIdentities(topics::ask, Ticker.SYSTEM), Sleeper.SYSTEM);
  }

  private TailConsumers tailConsumers() {
    return new TailConsumers(
        () -> new KafkaConsumer<>(metrics.measured(config.consumer())),
        () -> new KafkaConsumer<>(metrics.measured(config.patientConsumer())),
        Ticker.SYSTEM);
  }

  /** A second follower of the same partition gets its own consumer since their positions differ. */
  private synchronized PartitionLog.Subscription follow(
      TopicPartition partition, long from, PartitionLog.BatchListener listener) {
    for (KafkaTail tail : tails) {
      PartitionLog.Subscription followed = tail.follow(partition, from, listener);
      if (followed != null) {
        return followed;
      }
    }
    KafkaTail tail = newTail();
    tails.add(tail);
    PartitionLog.Subscription followed = tail.follow(partition, from, listener);
    if (followed == null) {
      throw new IllegalStateException("a new tail refuses " + partition);
    }
    return followed;
  }

  /** Uses a thread and a connection of its own, which end with the follower. */
  private synchronized PartitionLog.Subscription followAlone(
      TopicPartition partition, long from, PartitionLog.BatchListener listener) {
    KafkaTail tail = newTail();
    PartitionLog.Subscription followed = tail.follow(partition, from, listener);
    if (followed == null) {
      throw new IllegalStateException("a new tail refuses " + partition);
    }
    lone.add(tail);
    return new PartitionLog.Subscription() {
      @Override
      public void resume() {
        followed.resume();
      }

      @Override
      public void close() {
        followed.close();
        end(tail);
      }
    };
  }

  private void end(KafkaTail tail) {
    synchronized (this) {
      lone.remove(tail);
    }
    // Asynchronous, because a follower may close itself on the very thread for which close would
    // wait.
    Thread.ofVirtual().start(tail::close);
  }

  @Override
  public void close() {
    appender.close();
    List<KafkaTail> all = new ArrayList<>();
    synchronized (this) {
      all.addAll(tails);
      all.addAll(lone);
    }
    all.forEach(KafkaTail::close);
    readers.close();
    admin.close();
  }

  /** One partition of this log. */
  private final class Opened implements PartitionLog {

    private final TopicPartition partition;

    Opened(TopicPartition partition) {
      this.partition = partition;
    }

    @Override
    public String topic() {
      return partition.topic();
    }

    @Override
    public int partition() {
      return partition.partition();
    }

    @Override
    public int maxRecordBytes() {
      return config.maxRecordBytes();
    }

    @Override
    public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
      appender.append(partition, record, callback);
    }

    @Override
    public void endAppends() {
      appender.endAppends(partition);
    }

    @Override
    public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
      readers.read(partition, fromOffset, toOffset, visitor);
    }

    @Override
    public long startOffset() throws LogException.Unavailable {
      return readers.startOffset(partition);
    }

    @Override
    public long endOffset() throws LogException.Unavailable {
      return readers.endOffset(partition);
    }

    @Override
    public Subscription subscribe(long fromOffset, BatchListener listener) {
      return follow(partition, fromOffset, listener);
    }

    @Override
    public Subscription subscribeAlone(long fromOffset, BatchListener listener) {
      return followAlone(partition, fromOffset, listener);
    }

    @Override
    public void truncateBefore(long offset) throws LogException {
      topics.truncate(partition, offset);
    }
  }
}
