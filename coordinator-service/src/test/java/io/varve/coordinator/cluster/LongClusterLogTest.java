package io.varve.coordinator.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.Topics;
import io.varve.control.AddressProof;
import io.varve.control.command.ClusterCommand;
import io.varve.kafka.BrokerConfig;
import io.varve.kafka.EmbeddedBroker;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.kafka.KafkaLogConfig;
import io.varve.log.kafka.KafkaMessageLog;
import io.varve.process.Ticker;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts coordinators on a cluster log with many metadata changes, on a real broker. With {@code
 * -Dvarve.metadata-changes=100000} it prints how long coordinators take to start on such a log and
 * on a fresh one, and how much memory they use.
 */
@Tag("system")
@Tag("broker")
class LongClusterLogTest {

  private static final int CHANGES = Integer.getInteger("varve.metadata-changes", 3_000);
  private static final int WRITERS = 64;
  private static final long NEVER_MILLIS = 600_000;
  private static final long TIMEOUT_MILLIS = 120_000;

  @TempDir private Path data;
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final AtomicInteger names = new AtomicInteger();
  private String bootstrapServers = "";

  @BeforeEach
  void startBroker() throws Exception {
    EmbeddedBroker broker =
        EmbeddedBroker.startSingle(data.resolve("broker"), BrokerConfig.Flush.OS);
    running.push(broker);
    bootstrapServers = broker.bootstrapServers();
  }

  @AfterEach
  void stopAll() throws Exception {
    while (!running.isEmpty()) {
      running.pop().close();
    }
  }

  /** With minutes for each append, of which many are in flight. */
  private MessageLog connect(String clientId) {
    int millis = Math.toIntExact(TIMEOUT_MILLIS);
    return new KafkaMessageLog(
        new KafkaLogConfig(bootstrapServers, clientId, millis, millis, 64L << 20, 15 << 20, "lz4"));
  }

  private CoordinatorNode start(String cluster) throws Exception {
    String name = "c" + names.incrementAndGet();
    MessageLog log = connect(name);
    running.push(log);
    HttpClient http = HttpClient.newHttpClient();
    running.push(http);
    CoordinatorNode node =
        new CoordinatorNode(
            new CoordinatorSettings(
                cluster, name, data.resolve(name), 100, NEVER_MILLIS, NEVER_MILLIS),
            log,
            new Topics(cluster, 1),
            new CoordinatorNode.Others(http, AddressProof.BELIEVED),
            new CoordinatorNode.Clocks(InstantSource.system(), Ticker.SYSTEM));
    running.push(node);
    node.start("http://127.0.0.1:1");
    node.started().get(TIMEOUT_MILLIS, TimeUnit.MILLISECONDS);
    return node;
  }

  private static void set(CoordinatorNode node, String name, String value) {
    node.execute(
        new ClusterCommand.UpdateClusterSettings(Map.of(name, value), Map.of()), TIMEOUT_MILLIS);
  }

  private static void change(CoordinatorNode node, int times) throws Exception {
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> writers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < WRITERS; i++) {
        writers.add(
            threads.submit(() -> {
              for (int n = next.incrementAndGet(); n <= times; n = next.incrementAndGet()) {
                set(node, "cluster.remote.east.seeds", "127.0.0.1:" + n);
              }
            }));
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
    }
  }

  @Test
  void theRecordsThatACoordinatorReadsAtItsStartHaveALimit() throws Exception {
    boolean measured = Integer.getInteger("varve.metadata-changes") != null;
    CoordinatorNode leader = start("long");
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(leader::isLeading);
    if (!measured) {
      set(leader, ClusterSettings.SNAPSHOT_RECORDS, "100");
    }
    long limit = measured ? 1_000 : 100;

    change(leader, CHANGES);

    MessageLog messages = connect("look");
    running.push(messages);
    PartitionLog log = messages.open(new Topics("long", 1).clusterLog(), 0);
    assertThat(leader.state().version()).isGreaterThan(CHANGES);
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .untilAsserted(() ->
            assertThat(log.endOffset() - log.startOffset()).isLessThan(2 * limit + WRITERS + 50));

    CoordinatorNode second = start("long");
    assertThat(second.state().persistentSettings()).isEqualTo(leader.state().persistentSettings());
    assertThat(second.view().awaitVersion(leader.state().version(), Duration.ofMinutes(2)))
        .isTrue();
    if (measured) {
      measure();
    }
  }

  private void measure() throws Exception {
    CoordinatorNode fresh = start("fresh");
    Awaitility.await().atMost(Duration.ofMinutes(2)).until(fresh::isLeading);
    for (int round = 1; round <= 8; round++) {
      for (String cluster : List.of("fresh", "long")) {
        long before = usedBytes();
        long startNanos = System.nanoTime();
        CoordinatorNode node = start(cluster);
        long tookMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
        System.out.printf(
            "round %d, %s cluster: started in %d ms at version %d, %d KiB more in use%n",
            round, cluster, tookMillis, node.state().version(), (usedBytes() - before) >> 10);
        for (int i = 0; i < 3; i++) {
          running.pop().close();
        }
      }
    }
  }

  private static long usedBytes() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
