package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.StoredRecord;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.PartitionLog.BatchListener;
import io.varve.log.TopicSpec;
import io.varve.process.Sleeper;
import io.varve.process.Ticker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A tail whose partitions did not change for long, at a real broker. */
@Tag("system")
@Tag("broker")
class RestingTailTest {

  private static final TopicPartition OLD = new TopicPartition("old", 0);
  private static final TopicPartition NEW = new TopicPartition("new", 0);

  @TempDir static Path folder;

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger patients = new AtomicInteger();
  private final CountDownLatch resting = new CountDownLatch(1);
  private final BlockingQueue<String> seen = new LinkedBlockingQueue<>();

  private final BatchListener listener =
      new BatchListener() {
        @Override
        public void records(List<StoredRecord> batch) {
          batch.forEach(
              stored -> seen.add(new String(stored.record().value(), StandardCharsets.UTF_8)));
        }

        @Override
        public void lost(LogException.OutOfRange reason) {
          throw new AssertionError(reason);
        }
      };

  @Test
  void readsEachRecordOnceWhetherItRestsOrNot() throws Exception {
    try (EmbeddedBroker broker =
        EmbeddedBroker.startSingle(folder.resolve("broker"), BrokerConfig.Flush.OS)) {
      KafkaLogConfig config = KafkaLogConfig.of(broker.bootstrapServers(), "test");
      try (Admin admin = Admin.create(config.admin());
          KafkaProducer<byte[], byte[]> producer = producer(config);
          KafkaTail tail = tail(config, topics(config, admin))) {
        KafkaTopics topics = topics(config, admin);
        topics.create(List.of(spec(OLD), spec(NEW)));
        assertThat(tail.follow(OLD, 0, listener)).isNotNull();
        append(producer, OLD, "1");
        awaitRecord("1");

        awaitResting();
        append(producer, OLD, "2");
        awaitRecord("2");
        append(producer, OLD, "3");
        awaitRecord("3");
        assertThat(patients).hasValue(1);

        append(producer, NEW, "4");
        assertThat(tail.follow(NEW, 0, listener)).isNotNull();
        awaitRecord("4");
        append(producer, OLD, "5");
        awaitRecord("5");
      }
    }
  }

  /** A consumer has one request in flight to a broker, and it waits for the other partition. */
  @Test
  void aResumedPartitionIsReadThoughAnotherOneIsIdle() throws Exception {
    try (EmbeddedBroker broker =
        EmbeddedBroker.startSingle(folder.resolve("resumed"), BrokerConfig.Flush.OS)) {
      KafkaLogConfig config = KafkaLogConfig.of(broker.bootstrapServers(), "test");
      PausingListener pausing = new PausingListener();
      try (Admin admin = Admin.create(config.admin());
          KafkaProducer<byte[], byte[]> producer = producer(config);
          KafkaTail tail = tail(config, topics(config, admin))) {
        topics(config, admin).create(List.of(spec(OLD), spec(NEW)));
        assertThat(tail.follow(OLD, 0, listener)).isNotNull();
        PartitionLog.Subscription subscription = tail.follow(NEW, 0, pausing);
        assertThat(subscription).isNotNull();
        append(producer, NEW, "0");
        awaitRecord("0");
        awaitResting();

        append(producer, NEW, PausingListener.LAST);
        awaitRecord(PausingListener.LAST);
        assertThat(pausing.asked.await(1, TimeUnit.MINUTES)).isTrue();
        // The request in flight has room for the first of these.
        for (int i = 0; i < 20; i++) {
          append(producer, NEW, "after " + i);
        }
        pausing.ready = true;
        subscription.resume();

        for (int i = 0; i < 20; i++) {
          awaitRecord("after " + i);
        }
      }
    }
  }

  /** Is not ready once it has got {@link #LAST}. */
  private final class PausingListener implements BatchListener {
    static final String LAST = "last";

    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile boolean ready = true;

    @Override
    public void records(List<StoredRecord> batch) {
      if (new String(batch.getLast().record().value(), StandardCharsets.UTF_8).equals(LAST)) {
        ready = false;
      }
      listener.records(batch);
    }

    @Override
    public boolean isReady() {
      if (!ready) {
        asked.countDown();
      }
      return ready;
    }

    @Override
    public void lost(LogException.OutOfRange reason) {
      listener.lost(reason);
    }
  }

  private static KafkaTopics topics(KafkaLogConfig config, Admin admin) {
    return new KafkaTopics(config, admin, Ticker.SYSTEM, Sleeper.SYSTEM);
  }

  /** Waits for the topics' metadata, unlike those of production. */
  private static KafkaProducer<byte[], byte[]> producer(KafkaLogConfig config) {
    Map<String, Object> waiting = new HashMap<>(config.producer());
    waiting.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 60_000);
    return new KafkaProducer<>(waiting);
  }

  private static TopicSpec spec(TopicPartition partition) {
    return new TopicSpec(partition.topic(), 1, 1, Map.of());
  }

  private KafkaTail tail(KafkaLogConfig config, KafkaTopics topics) {
    TailConsumers consumers =
        new TailConsumers(
            () -> new KafkaConsumer<>(config.consumer()),
            () -> new PatientConsumer(waitingForHours(config.patientConsumer())),
            nanos::get);
    return new KafkaTail(
        "tail", consumers, new TopicIdentities(topics::ask, Ticker.SYSTEM), Sleeper.SYSTEM);
  }

  /** Ends {@link #resting} when it is in use. */
  private final class PatientConsumer extends KafkaConsumer<byte[], byte[]> {

    PatientConsumer(Map<String, Object> config) {
      super(config);
      patients.incrementAndGet();
    }

    @Override
    public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
      resting.countDown();
      return super.poll(timeout);
    }
  }

  /** A tail that can't validate its positions soon rests only after another calm time. */
  private void awaitResting() {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> {
          nanos.addAndGet(TailConsumers.CALM_AFTER.toNanos());
          return resting.getCount() == 0;
        });
  }

  /** A test that depends on the end of the wait does not pass. */
  private static Map<String, Object> waitingForHours(Map<String, Object> consumer) {
    int millis = Math.toIntExact(TimeUnit.HOURS.toMillis(3));
    Map<String, Object> waiting = new HashMap<>(consumer);
    waiting.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, millis);
    waiting.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, 2 * millis);
    return waiting;
  }

  private static void append(
      KafkaProducer<byte[], byte[]> producer, TopicPartition partition, String value)
      throws Exception {
    producer
        .send(
            new ProducerRecord<>(
                partition.topic(), 0, null, value.getBytes(StandardCharsets.UTF_8)))
        .get(60, TimeUnit.SECONDS);
  }

  private void awaitRecord(String value) throws InterruptedException {
    assertThat(seen.poll(60, TimeUnit.SECONDS)).isEqualTo(value);
  }
}
