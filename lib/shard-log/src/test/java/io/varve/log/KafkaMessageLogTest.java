package io.varve.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.kafka.ClientMetrics;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("system")
@Tag("broker")
class KafkaMessageLogTest extends MessageLogContract {

  @TempDir static Path folder;
  private static EmbeddedBroker broker;
  private static KafkaMessageLog log;

  @BeforeAll
  static void start() throws Exception {
    broker = EmbeddedBroker.startSingle(folder.resolve("shared"), BrokerConfig.Flush.OS);
    log =
        new KafkaMessageLog(
            new KafkaLogConfig(
                broker.bootstrapServers(), "test", 60_000, 60_000, 64L << 20, 15 << 20, "lz4"));
  }

  @AfterAll
  static void stop() {
    log.close();
    broker.close();
  }

  @Override
  MessageLog log() {
    return log;
  }

  @Override
  protected void cutEnd(PartitionLog partition, long endOffset) throws Exception {
    BrokerConfig same = broker.config();
    BrokerFolder.ofStopped(broker).cutEnd(partition.topic(), partition.partition(), endOffset);
    broker = EmbeddedBroker.start(same);
  }

  @Test
  void partitionsWithTooFewReplicasInSyncAreCounted() throws Exception {
    log.createTopic(new TopicSpec("counted.fine", 2, 1, Map.of()));
    log.createTopic(new TopicSpec("counted.few", 3, 1, Map.of("min.insync.replicas", "2")));

    assertThat(log.partitions("counted.")).isEqualTo(new LogPartitions(5, 0, 0, 3));
    assertThat(log.partitions("none.")).isEqualTo(LogPartitions.NONE);
  }

  @Test
  void theClientsReportWhatTheySentAndRead() throws Exception {
    ClientMetrics metrics = new ClientMetrics();
    KafkaLogConfig config =
        new KafkaLogConfig(
            broker.bootstrapServers(), "measured", 60_000, 60_000, 64L << 20, 15 << 20, "lz4");
    try (KafkaMessageLog measured = new KafkaMessageLog(config, metrics)) {
      measured.createTopic(new TopicSpec("measured", 1, 1, Map.of()));
      PartitionLog partition = measured.open("measured", 0);
      long offset = Appends.await(partition, RecordHeader.fence(1, "test"));
      partition.read(0, offset + 1, _ -> {});
    }

    assertThat(metrics.value(ClientMetrics.Figure.RECORDS_SENT)).isEqualTo(1);
    assertThat(metrics.value(ClientMetrics.Figure.BYTES_SENT)).isPositive();
    assertThat(metrics.value(ClientMetrics.Figure.RECORDS_READ)).isEqualTo(1);
    assertThat(metrics.value(ClientMetrics.Figure.PRODUCER_CONNECTIONS)).isZero();
  }

  @Test
  void creatingATopicAgainChangesNothing() throws Exception {
    TopicSpec topic = new TopicSpec("twice", 2, 1, Map.of("cleanup.policy", "compact"));
    log.createTopic(topic);
    String id = log.topicId("twice");
    log.createTopic(topic);
    assertThat(log.topicId("twice")).isEqualTo(id);
    log.deleteTopic("twice");
    log.deleteTopic("twice");
    // The broker learns of the deletion from the controller after a delay.
    Awaitility.await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() ->
            assertThatThrownBy(() -> log.topicId("twice"))
                .isInstanceOf(LogException.OutOfRange.class));
  }

  @Test
  void moreBytesThanMayBeUnderWayAreRefusedAsFull() throws Exception {
    KafkaLogConfig small =
        new KafkaLogConfig(
            broker.bootstrapServers(), "small", 60_000, 60_000, 2_048, 2_048, "none");
    newPartition();
    try (KafkaMessageLog tight = new KafkaMessageLog(small)) {
      PartitionLog partition = tight.open("contract-full", 0);
      tight.createTopic(new TopicSpec("contract-full", 1, 1, Map.of()));
      List<CompletableFuture<Long>> taken = new ArrayList<>();
      assertThatThrownBy(
              () -> {
                for (int i = 0; i < 100_000; i++) {
                  taken.add(append(partition, RawRecord.keyed(new byte[1], new byte[1_000])));
                }
              })
          .isInstanceOf(LogException.Full.class);
      for (CompletableFuture<Long> offset : taken) {
        assertThat(offset.get(90, TimeUnit.SECONDS)).isNotNegative();
      }
    }
  }

  @Test
  void whenTheBrokerIsGoneAppendsEndAsUnknownInTimeAndWhatWasAckedIsThereAfterwards(
      @TempDir Path data) throws Exception {
    EmbeddedBroker own = EmbeddedBroker.startSingle(data, BrokerConfig.Flush.ALWAYS);
    BrokerConfig same =
        BrokerConfig.single(
            data,
            new BrokerConfig.Ports(port(own), own.config().ports().controller()),
            BrokerConfig.Flush.ALWAYS);
    KafkaLogConfig config =
        new KafkaLogConfig(
            own.bootstrapServers(), "outage", 1_500, 60_000, 64 << 20, 1 << 20, "lz4");
    try (KafkaMessageLog client = new KafkaMessageLog(config)) {
      client.createTopic(new TopicSpec("outage", 1, 1, Map.of()));
      PartitionLog partition = client.open("outage", 0);
      appendUntilAccepted(partition, record(0));
      List<StoredRecord> seen = Collections.synchronizedList(new ArrayList<>());
      try (PartitionLog.Subscription following = partition.subscribe(0, collect(seen))) {
        BrokerFolder.ofStopped(own);
        assertThatThrownBy(() -> append(partition, record(1)).get(60, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class);
        own = EmbeddedBroker.start(same);
        long last = appendUntilAccepted(partition, record(2));
        Awaitility.await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> List.copyOf(seen).stream().anyMatch(r -> r.offset() == last));
        assertThat(seqNos(List.copyOf(seen))).contains(0L);
      }
    } finally {
      own.close();
    }
  }

  @Test
  void nothingIsAckedThatIsNotInTheLogAfterTheBrokerWentInTheMiddle(@TempDir Path data)
      throws Exception {
    EmbeddedBroker own = EmbeddedBroker.startSingle(data, BrokerConfig.Flush.ALWAYS);
    BrokerConfig same = own.config();
    KafkaLogConfig config =
        new KafkaLogConfig(
            own.bootstrapServers(), "middle", 2_000, 60_000, 64 << 20, 1 << 20, "lz4");
    long slowNanos = Duration.ofMillis(config.appendTimeoutMillis() / 2).toNanos();
    try (KafkaMessageLog client = new KafkaMessageLog(config)) {
      client.createTopic(new TopicSpec("middle", 1, 1, Map.of()));
      PartitionLog partition = client.open("middle", 0);
      appendUntilAccepted(partition, record(0));
      EmbeddedBroker first = own;
      Thread closing = Thread.ofPlatform().start(first::close);
      List<CompletableFuture<Long>> appends = new ArrayList<>();
      for (long seqNo = 1; closing.isAlive(); seqNo++) {
        CompletableFuture<Long> offset = append(partition, record(seqNo));
        appends.add(offset);
        awaitOutcome(offset);
      }
      closing.join();
      int slow = 0;
      for (int i = 0; i < 1_000; i++) {
        long startNanos = System.nanoTime();
        appends.add(append(partition, record(appends.size() + 1L)));
        if (System.nanoTime() - startNanos > slowNanos) {
          slow++;
        }
      }
      // Short pauses of the machine affect a few appends.
      assertThat(slow).as("appends of 1,000 that wait for the broker").isLessThan(5);
      for (CompletableFuture<Long> offset : appends) {
        awaitOutcome(offset);
      }
      own = EmbeddedBroker.start(same);
      Map<Long, Long> seqNosByOffset = new HashMap<>();
      partition.read(
          0,
          partition.endOffset(),
          r -> seqNosByOffset.put(r.offset(), RecordHeader.read(r.record().header()).seqNo()));
      for (int i = 0; i < appends.size(); i++) {
        if (!appends.get(i).isCompletedExceptionally()) {
          assertThat(seqNosByOffset).containsEntry(appends.get(i).join(), i + 1L);
        }
      }
      assertThat(appends).anyMatch(CompletableFuture::isCompletedExceptionally);
    } finally {
      own.close();
    }
  }

  /** Waits for the outcome of an append, which must arrive within the append's timeout. */
  private static void awaitOutcome(CompletableFuture<Long> offset) {
    assertThat(offset.handle((at, failure) -> true)).succeedsWithin(Duration.ofSeconds(60));
  }

  private static int port(EmbeddedBroker broker) {
    return Integer.parseInt(broker.bootstrapServers().split(":")[1]);
  }

  private static long appendUntilAccepted(PartitionLog partition, RawRecord record)
      throws Exception {
    long startNanos = System.nanoTime();
    while (true) {
      try {
        return append(partition, record).get(60, TimeUnit.SECONDS);
      } catch (ExecutionException e) {
        assertThat(Duration.ofNanos(System.nanoTime() - startNanos))
            .as("still failing: %s", e.getMessage())
            .isLessThan(Duration.ofMinutes(2));
      }
    }
  }
}
