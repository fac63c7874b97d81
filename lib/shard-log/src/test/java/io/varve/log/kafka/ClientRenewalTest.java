package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.LogException;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.PartitionLog.AppendCallback;
import io.varve.log.PartitionLog.BatchListener;
import io.varve.log.TopicSpec;
import io.varve.process.Sleeper;
import io.varve.process.Ticker;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the replacement of Kafka clients after many topics while one partition is in constant use.
 */
@Tag("system")
@Tag("broker")
class ClientRenewalTest {

  private static final int TOPICS =
      2 * Math.max(Producers.SPARE_PARTITIONS, KafkaTail.SPARE_TOPICS);
  private static final TopicPartition BUSY = new TopicPartition("busy", 0);

  @TempDir static Path folder;

  private static RawRecord record(int number) {
    return RawRecord.keyed(new byte[0], ByteBuffer.allocate(4).putInt(number).array());
  }

  @Test
  void neitherLosesNorReordersRecords() throws Exception {
    try (EmbeddedBroker broker =
            EmbeddedBroker.startSingle(folder.resolve("broker"), BrokerConfig.Flush.OS);
        Clients clients = new Clients(broker.bootstrapServers())) {
      clients.createTopics();
      clients.followBusy();
      int group = 64;
      for (int from = 0; from < TOPICS; from += group) {
        clients.nowNanos.addAndGet(2 * MessageLog.FORGOTTEN_AFTER.toNanos());
        clients.useOnce(IntStream.range(from, from + group).boxed().toList());
      }
      clients.awaitBusy();
      assertThat(clients.producers).hasValueGreaterThan(1);
      assertThat(clients.consumers).hasValueGreaterThan(1);
    }
  }

  /** An appender and a tail, whose clients are counted. */
  private static final class Clients implements AutoCloseable {

    final AtomicInteger producers = new AtomicInteger();
    final AtomicInteger consumers = new AtomicInteger();
    final AtomicLong nowNanos = new AtomicLong();
    private final Admin admin;
    private final KafkaTopics topics;
    private final KafkaAppender appender;
    private final KafkaTail tail;
    private final List<Integer> seen = Collections.synchronizedList(new ArrayList<>());
    private int appended;

    Clients(String bootstrapServers) {
      KafkaLogConfig config =
          new KafkaLogConfig(bootstrapServers, "test", 60_000, 60_000, 64L << 20, 15 << 20, "lz4");
      admin = Admin.create(config.admin());
      topics = new KafkaTopics(config, admin, Ticker.SYSTEM, Sleeper.SYSTEM);
      appender =
          new KafkaAppender(
              config,
              () -> {
                producers.incrementAndGet();
                return new KafkaProducer<>(config.producer());
              },
              nowNanos::get,
              Sleeper.SYSTEM);
      tail =
          new KafkaTail(
              "tail",
              new TailConsumers(
                  () -> {
                    consumers.incrementAndGet();
                    return new KafkaConsumer<>(config.consumer());
                  },
                  () -> {
                    throw new AssertionError("a tail without time does not rest");
                  },
                  () -> 0),
              new TopicIdentities(topics::ask, Ticker.SYSTEM),
              Sleeper.SYSTEM);
    }

    void createTopics() throws LogException {
      List<TopicSpec> specs = new ArrayList<>();
      specs.add(new TopicSpec(BUSY.topic(), 1, 1, Map.of()));
      IntStream.range(0, TOPICS).forEach(i -> specs.add(new TopicSpec(name(i), 1, 1, Map.of())));
      topics.create(specs);
    }

    private static String name(int topic) {
      return "short-lived-" + topic;
    }

    void followBusy() {
      assertThat(tail.follow(BUSY, 0, listener(batch -> batch.forEach(this::see)))).isNotNull();
    }

    private void see(StoredRecord record) {
      seen.add(ByteBuffer.wrap(record.record().value()).getInt());
    }

    /** Appends a record to each topic and reads it, with appends to the busy topic in between. */
    void useOnce(List<Integer> some) throws Exception {
      List<CompletableFuture<Long>> appends = new ArrayList<>();
      CountDownLatch read = new CountDownLatch(some.size());
      List<PartitionLog.Subscription> stops = new ArrayList<>();
      for (int topic : some) {
        TopicPartition partition = new TopicPartition(name(topic), 0);
        appends.add(append(partition, 0));
        appends.add(append(BUSY, appended++));
        stops.add(tail.follow(partition, 0, listener(batch -> read.countDown())));
      }
      for (CompletableFuture<Long> append : appends) {
        append.get(60, TimeUnit.SECONDS);
      }
      assertThat(read.await(60, TimeUnit.SECONDS)).isTrue();
      stops.forEach(PartitionLog.Subscription::close);
    }

    private CompletableFuture<Long> append(TopicPartition partition, int number)
        throws LogException.Full {
      CompletableFuture<Long> offset = new CompletableFuture<>();
      appender.append(
          partition,
          record(number),
          new AppendCallback() {
            @Override
            public void appended(long at, long timestampMillis) {
              offset.complete(at);
            }

            @Override
            public void unknown(String reason) {
              offset.completeExceptionally(new AssertionError(reason));
            }
          });
      return offset;
    }

    void awaitBusy() {
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> seen.size() >= appended);
      assertThat(seen).containsExactlyElementsOf(IntStream.range(0, appended).boxed().toList());
    }

    private static BatchListener listener(Consumer<List<StoredRecord>> records) {
      return new BatchListener() {
        @Override
        public void records(List<StoredRecord> batch) {
          records.accept(batch);
        }

        @Override
        public void lost(LogException.OutOfRange reason) {
          throw new AssertionError(reason);
        }
      };
    }

    @Override
    public void close() {
      appender.close();
      tail.close();
      admin.close();
    }
  }
}
