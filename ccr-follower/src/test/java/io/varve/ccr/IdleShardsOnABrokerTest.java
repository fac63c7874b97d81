package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.events.RecordHeader;
import io.varve.events.StoredRecord;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.Appends;
import io.varve.log.FencedTail;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.log.TopicSpec;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many shards of one remote cluster are read by the clients that one shard needs. */
@Tag("system")
@Tag("broker")
@Timeout(300)
class IdleShardsOnABrokerTest {

  private static final String OPERATIONS = "there.ops.books";
  private static final int SHARDS = 200;

  @TempDir private Path folder;
  private EmbeddedBroker broker;
  private KafkaMessageLog leaders;
  private final LeaderClients clients = new LeaderClients(PatientLogs::open, "ccr-counted");
  private final List<LeaderClients.Client> opened = new CopyOnWriteArrayList<>();
  private final List<Shard> shards = new ArrayList<>();

  /** A shard whose operations are read; it may be told not to be ready. */
  private static final class Shard implements FencedTail.Listener {
    final List<StoredRecord> records = new CopyOnWriteArrayList<>();
    volatile boolean ready = true;
    FencedTail tail;

    @Override
    public void accepted(List<StoredRecord> batch, long nextOffset, long term) {
      records.addAll(batch);
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public void lost(LogException.OutOfRange reason) {
      throw new AssertionError(reason);
    }
  }

  @BeforeEach
  void start() throws Exception {
    broker = EmbeddedBroker.startSingle(folder.resolve("broker"), BrokerConfig.Flush.OS);
    // With other credentials, so that it has an admin client of its own, as another process has.
    leaders =
        PatientLogs.open(
            KafkaLogConfig.of(broker.bootstrapServers(), "leader")
                .withSecurity(new KafkaLogConfig.Security(Map.of(), 1)));
    leaders.createTopics(List.of(new TopicSpec(OPERATIONS, SHARDS, 1, Map.of())));
  }

  @AfterEach
  void close() {
    shards.forEach(shard -> shard.tail.close());
    opened.forEach(LeaderClients.Client::close);
    leaders.close();
    broker.close();
  }

  private void follow() throws Exception {
    List<PartitionLog> logs = new ArrayList<>();
    for (int number = 0; number < SHARDS; number++) {
      LeaderClients.Client client =
          clients.open(
              broker.bootstrapServers(),
              KafkaLogConfig.Fetch.DEFAULT,
              KafkaLogConfig.Security.NONE);
      opened.add(client);
      logs.add(client.open(OPERATIONS, number));
    }
    // All at once, as after a start of the process.
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<CompletableFuture<Long>> ends =
          logs.stream().map(log -> CompletableFuture.supplyAsync(() -> end(log), threads)).toList();
      for (CompletableFuture<Long> end : ends) {
        assertThat(end.get(120, TimeUnit.SECONDS)).isZero();
      }
    }
    for (PartitionLog log : logs) {
      Shard shard = new Shard();
      shards.add(shard);
      shard.tail = FencedTail.followShared(log, 0, new TermFence(), shard);
    }
  }

  private static long end(PartitionLog log) {
    try {
      return log.endOffset();
    } catch (LogException e) {
      throw new IllegalStateException(e);
    }
  }

  private void write(int number, long seqNo) throws Exception {
    byte[] text = Long.toString(seqNo).getBytes(StandardCharsets.UTF_8);
    PartitionLog log = leaders.open(OPERATIONS, number);
    if (seqNo == 0) {
      var _ = Appends.await(log, RecordHeader.fence(1, "n1"));
    }
    var _ = Appends.await(log, RecordHeader.data(1, seqNo, text, text));
  }

  private static List<String> threads(String namePart) {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.contains(namePart) && name.contains("ccr-counted"))
        .toList();
  }

  @Test
  void twoHundredShardsHaveOneConsumerOneProducerAndOneAdminClient() throws Exception {
    follow();
    write(0, 0);
    write(SHARDS - 1, 0);

    await().atMost(FollowerClusterLog.SOON).until(() -> shards.getFirst().records.size() == 1);
    await().atMost(FollowerClusterLog.SOON).until(() -> shards.getLast().records.size() == 1);
    assertThat(threads("log-tail")).hasSize(1);
    assertThat(threads("kafka-admin-client-thread")).hasSize(1);
    assertThat(threads("kafka-producer-network-thread")).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void aShardThatIsNotReadyDelaysNoOtherOneAndLosesNothing() throws Exception {
    follow();
    write(0, 0);
    await().atMost(FollowerClusterLog.SOON).until(() -> shards.getFirst().records.size() == 1);
    shards.getFirst().ready = false;
    // The read in progress may still deliver; the one after it is not begun.
    write(1, 0);
    await().atMost(FollowerClusterLog.SOON).until(() -> shards.get(1).records.size() == 1);
    for (int seqNo = 1; seqNo < 50; seqNo++) {
      write(0, seqNo);
      write(1, seqNo);
    }
    await().atMost(FollowerClusterLog.SOON).until(() -> shards.get(1).records.size() == 50);
    assertThat(shards.getFirst().records).hasSizeLessThan(50);

    shards.getFirst().ready = true;
    shards.getFirst().tail.resume();

    await().atMost(FollowerClusterLog.SOON).until(() -> shards.getFirst().records.size() == 50);
  }
}
