package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.StoredRecord;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.LogException;
import io.varve.log.PartitionLog.BatchListener;
import io.varve.log.TopicSpec;
import io.varve.process.Sleeper;
import io.varve.process.Ticker;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
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

        nanos.addAndGet(TailConsumers.CALM_AFTER.toNanos());
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
            () -> {
              patients.incrementAndGet();
              return new KafkaConsumer<>(config.patientConsumer());
            },
            nanos::get);
    return new KafkaTail(
        "tail", consumers, new TopicIdentities(topics::ask, Ticker.SYSTEM), Sleeper.SYSTEM);
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
