package io.varve.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.RawRecord;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.kafka.config.KafkaListenerEndpointRegistry;

/**
 * An application with a {@code @KafkaListener} follows an index through new primaries, late
 * writers, its own restarts and failures, and the end of the index.
 */
@Tag("system")
@Tag("broker")
class ChangeStreamTest {

  @TempDir static Path folder;
  private static EmbeddedBroker broker;
  private static KafkaMessageLog log;
  private static Admin admin;

  private OperationsTopic topic;
  private final ListeningApplication.Listener listener = new ListeningApplication.Listener();

  @BeforeAll
  static void start() throws Exception {
    broker = EmbeddedBroker.startSingle(folder, BrokerConfig.Flush.OS);
    log =
        new KafkaMessageLog(
            new KafkaLogConfig(
                broker.bootstrapServers(), "test", 60_000, 60_000, 64L << 20, 15 << 20, "lz4"));
    admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()));
  }

  @AfterAll
  static void stop() {
    admin.close();
    log.close();
    broker.close();
  }

  @BeforeEach
  void createTopic(TestInfo test) throws Exception {
    topic = new OperationsTopic(log, test.getTestMethod().orElseThrow().getName(), 2);
  }

  private ConfigurableApplicationContext application() {
    return application(listener);
  }

  private <T> ConfigurableApplicationContext application(T bean) {
    return ListeningApplication.start(
        bean,
        Map.of(
            "spring.kafka.bootstrap-servers", broker.bootstrapServers(),
            "test.group", group(),
            "test.topic", topic.topic.operations()));
  }

  private String group() {
    return "group-of-" + topic.topic.indexUuid();
  }

  private static ConditionFactory await() {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInterval(Duration.ofMillis(50))
        .ignoreExceptionsInstanceOf(ExecutionException.class);
  }

  private OffsetAndMetadata committed(int shard) throws Exception {
    return admin
        .listConsumerGroupOffsets(group())
        .partitionsToOffsetAndMetadata()
        .get()
        .get(new TopicPartition(topic.topic.operations(), shard));
  }

  private void awaitCommitted(int shard, long offset) {
    await()
        .untilAsserted(() ->
            assertThat(committed(shard))
                .isNotNull()
                .extracting(OffsetAndMetadata::offset)
                .isEqualTo(offset));
  }

  private List<Long> seqNos() {
    return listener.changes.stream().map(Change::seqNo).toList();
  }

  @Test
  void deliversDecodedOperations() throws Exception {
    var _ = topic.fence(1, 3);
    var _ = topic.operation(1, 3, 0);
    long offset = topic.delete(1, 3, 1);

    try (var _ = application()) {
      awaitCommitted(1, offset + 1);
    }

    assertThat(listener.changes).hasSize(2);
    Change first = listener.changes.getFirst();
    assertThat(first.index()).isEqualTo("deliversDecodedOperations");
    assertThat(first.shard()).isEqualTo(1);
    assertThat(first.id()).isEqualTo("0");
    assertThat(first.primaryTerm()).isEqualTo(3);
    assertThat(first.kind()).isEqualTo(Change.Kind.INDEX);
    assertThat(first.source()).asString(StandardCharsets.UTF_8).isEqualTo("{\"term\":3}");
    Change second = listener.changes.getLast();
    assertThat(second.kind()).isEqualTo(Change.Kind.DELETE);
    assertThat(second.source()).isNull();
    assertThat(second.routing()).isEqualTo("r");
    assertThat(second.offset()).isEqualTo(offset);
  }

  @Test
  void goesThroughANewPrimaryAndDropsTheFormerOnesLateRecords() throws Exception {
    var _ = topic.fence(0, 1);
    var _ = topic.operation(0, 1, 0);
    try (var _ = application()) {
      awaitCommitted(0, 2);
      var _ = topic.operation(0, 1, 1);
      var _ = topic.fence(0, 2);
      var _ = topic.operation(0, 1, 2);
      var _ = topic.operation(0, 2, 2);
      var _ = topic.operation(0, 1, 3);
      var _ = topic.fence(0, 1);
      awaitCommitted(0, topic.endOffset(0));
    }

    assertThat(seqNos()).containsExactly(0L, 1L, 2L);
    assertThat(listener.changes.getLast().primaryTerm()).isEqualTo(2);
  }

  @Test
  void aRestartBetweenTheFenceAndALateRecordDeliversNothingFenced() throws Exception {
    var _ = topic.fence(0, 1);
    var _ = topic.operation(0, 1, 0);
    var _ = topic.fence(0, 2);
    try (var _ = application()) {
      awaitCommitted(0, 3);
    }
    assertThat(committed(0).metadata()).isEqualTo("varve-fence/1 term=2 next_seq_no=1");

    var _ = topic.operation(0, 1, 1);
    var _ = topic.operation(0, 2, 1);
    try (var _ = application()) {
      awaitCommitted(0, 5);
    }

    assertThat(seqNos()).containsExactly(0L, 1L);
    assertThat(listener.changes.getLast().primaryTerm()).isEqualTo(2);
  }

  @Test
  void theStateIsComputedAnewAfterSomebodyMovedTheOffset() throws Exception {
    var _ = topic.fence(0, 1);
    var _ = topic.operation(0, 1, 0);
    var _ = topic.fence(0, 2);
    var _ = topic.operation(0, 1, 1);
    var _ = topic.operation(0, 2, 1);
    admin
        .alterConsumerGroupOffsets(
            group(),
            Map.of(new TopicPartition(topic.topic.operations(), 0), new OffsetAndMetadata(3)))
        .all()
        .get();

    try (var _ = application()) {
      awaitCommitted(0, 5);
    }

    assertThat(seqNos()).containsExactly(1L);
    assertThat(listener.changes.getFirst().primaryTerm()).isEqualTo(2);
  }

  @Test
  void eachShardHasItsOwnFence() throws Exception {
    var _ = topic.fence(0, 5);
    var _ = topic.operation(0, 5, 0);
    var _ = topic.fence(1, 1);
    var _ = topic.fence(1, 2);
    try (var _ = application()) {
      awaitCommitted(0, 2);
      awaitCommitted(1, 2);
    }

    assertThat(committed(0).metadata()).isEqualTo("varve-fence/1 term=5 next_seq_no=1");
    assertThat(committed(1).metadata()).isEqualTo("varve-fence/1 term=2 next_seq_no=0");
  }

  @Test
  void aChangeWhoseListenerFailsIsDeliveredAgain() throws Exception {
    List<Long> attempts = new CopyOnWriteArrayList<>();
    listener.before =
        change -> {
          attempts.add(change.seqNo());
          if (change.seqNo() == 1 && attempts.size() < 4) {
            throw new ClassCastException("the listener is not ready");
          }
        };
    var _ = topic.fence(0, 1);
    for (int seqNo = 0; seqNo < 3; seqNo++) {
      var _ = topic.operation(0, 1, seqNo);
    }

    try (var _ = application()) {
      awaitCommitted(0, 4);
    }

    assertThat(attempts).containsExactly(0L, 1L, 1L, 1L, 2L);
    assertThat(seqNos()).containsExactly(0L, 1L, 2L);
  }

  @Test
  void aRecordThatCannotBeReadStopsTheListener() throws Exception {
    var _ = topic.fence(0, 1);
    var _ = topic.operation(0, 1, 0);
    var _ = topic.append(0, new RawRecord(null, null, new byte[] {(byte) 0xF1, 1, 1}));
    var _ = topic.operation(0, 1, 1);

    try (var application = application()) {
      var container =
          application.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("listener");
      await().until(() -> !container.isRunning());
      assertThat(container.isInExpectedState()).isFalse();
    }

    assertThat(seqNos()).containsExactly(0L);
    assertThat(committed(0).offset()).isEqualTo(2);
  }

  @Test
  void nothingIsDeliveredTwiceAfterACleanStop() throws Exception {
    int count = 400;
    var _ = topic.fence(0, 1);
    for (int seqNo = 0; seqNo < count; seqNo++) {
      var _ = topic.operation(0, 1, seqNo);
    }
    for (long stopAt = 100; stopAt <= 300; stopAt += 100) {
      stopDuring(stopAt);
    }
    try (var _ = application()) {
      awaitCommitted(0, count + 1);
    }

    assertThat(seqNos()).containsExactlyElementsOf(LongStream.range(0, count).boxed().toList());
  }

  /** Tells the container to stop while that change is in progress. */
  private void stopDuring(long seqNo) throws Exception {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch told = new CountDownLatch(1);
    listener.before =
        change -> {
          if (change.seqNo() == seqNo) {
            reached.countDown();
            await(told);
          }
        };
    try (var application = application()) {
      await(reached);
      CountDownLatch stopped = new CountDownLatch(1);
      application
          .getBean(KafkaListenerEndpointRegistry.class)
          .getListenerContainer("listener")
          .stop(stopped::countDown);
      told.countDown();
      await(stopped);
    }
    assertThat(listener.changes).hasSizeBetween((int) seqNo, (int) seqNo + 20);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(2, TimeUnit.MINUTES)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aDeletedIndexEndsItsListener() throws Exception {
    var _ = topic.fence(0, 1);
    var _ = topic.operation(0, 1, 0);
    try (var application = application()) {
      awaitCommitted(0, 2);
      log.deleteTopic(topic.topic.operations());
      var container =
          application.getBean(KafkaListenerEndpointRegistry.class).getListenerContainer("listener");
      await().until(() -> !listener.deleted.isEmpty() && !container.isRunning());
    }

    assertThat(listener.deleted)
        .singleElement()
        .extracting(IndexDeletedEvent::topic)
        .isEqualTo(topic.topic);
    assertThat(seqNos()).containsExactly(0L);
  }

  @Test
  void batchesHaveAcceptedOperationsOnly() throws Exception {
    ListeningApplication.BatchListener batches = new ListeningApplication.BatchListener();
    var _ = topic.fence(0, 1);
    var _ = topic.operation(0, 1, 0);
    var _ = topic.fence(0, 2);
    var _ = topic.operation(0, 1, 1);
    var _ = topic.operation(0, 2, 1);

    try (var _ = application(batches)) {
      await().until(() -> batches.changes.size() >= 2);
    }

    assertThat(batches.changes).extracting(Change::seqNo).containsExactly(0L, 1L);
    assertThat(batches.changes).extracting(Change::primaryTerm).containsExactly(1L, 2L);
  }
}
