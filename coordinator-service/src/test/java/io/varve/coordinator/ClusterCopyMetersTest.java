package io.varve.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.varve.cluster.ShardRouting;
import io.varve.cluster.Topics;
import io.varve.control.ProgressTracker;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.events.CopyProgress;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests what a coordinator exports of copies, over the real tracker and an in-memory log. */
class ClusterCopyMetersTest {

  private final AtomicLong nowMillis = new AtomicLong(1_000_000);
  private final Map<String, Long> heardMillis = new ConcurrentHashMap<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final InMemoryMessageLog log = new InMemoryMessageLog(threads, nowMillis::get);
  private final Topics topics = new Topics("test", 1);
  private final FakeCluster cluster = new FakeCluster().index("books", 1);
  private final ProgressTracker progress =
      new ProgressTracker(log, topics, nowMillis::get, threads);
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final ClusterCopyMeters meters =
      new ClusterCopyMeters(
          cluster::state,
          progress,
          node -> nowMillis.get() - heardMillis.getOrDefault(node, 0L),
          nowMillis::get,
          registry,
          100);

  @BeforeEach
  void start() throws LogException {
    log.createTopic(topics.progressSpec());
    progress.start();
  }

  @AfterEach
  void close() {
    progress.close();
    log.close();
    threads.shutdownNow();
  }

  private ShardRouting shard() {
    return Objects.requireNonNull(cluster.state().indices().get("books")).shard(0);
  }

  private void report(boolean primary, long generation, long visibleSeqNo, long millisBehind)
      throws Exception {
    var copy = primary ? shard().primary() : shard().replicas().getFirst();
    CopyProgress said =
        new CopyProgress(
            copy.copyId(),
            shard().shard(),
            Objects.requireNonNull(copy.nodeId()),
            primary,
            "STARTED",
            1,
            generation,
            0,
            visibleSeqNo,
            visibleSeqNo,
            0,
            0,
            millisBehind,
            -1,
            0,
            0,
            nowMillis.get());
    int partition = Topics.partitionOf(copy.copyId(), Topics.PROGRESS_PARTITIONS);
    long _ =
        Appends.await(
            log.open(topics.progress(), partition),
            RawRecord.keyed(copy.copyId().getBytes(StandardCharsets.UTF_8), Json.write(said)));
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> progress.of(copy.copyId()).filter(said::equals).isPresent());
  }

  private double value(String name, String role) {
    meters.renew();
    Gauge gauge = registry.find(name).tags("index", "books", "shard", "0", "role", role).gauge();
    return gauge == null ? Double.NaN : gauge.value();
  }

  private double lag() {
    return value("varve.cluster.copy.lag.seconds", "replica");
  }

  @Test
  void aCopyWithoutReportHasNoSeries() {
    assertThat(lag()).isNaN();
    assertThat(registry.getMeters()).isEmpty();
  }

  @Test
  void aFrozenReplicaFallsBehindAsItsReportGrowsOld() throws Exception {
    report(true, 1, 10, 0);
    report(false, 1, 10, 0);
    nowMillis.addAndGet(20_000);
    assertThat(lag()).isZero();
    assertThat(value("varve.cluster.copy.report.age.seconds", "replica")).isEqualTo(20);

    report(true, 2, 15, 0);

    assertThat(lag()).isEqualTo(20);
    assertThat(value("varve.cluster.copy.operations.behind", "replica")).isEqualTo(5);
    assertThat(value("varve.cluster.copy.lag.seconds", "primary")).isZero();
  }

  @Test
  void aReportIsAsYoungAsTheLastHeartbeatOfItsNode() throws Exception {
    report(true, 1, 10, 0);
    report(false, 1, 10, 0);
    nowMillis.addAndGet(20_000);
    String node = Objects.requireNonNull(shard().replicas().getFirst().nodeId());
    heardMillis.put(node, nowMillis.get() - 300);

    assertThat(value("varve.cluster.copy.report.age.seconds", "replica")).isEqualTo(0.3);

    report(true, 2, 15, 0);
    assertThat(lag()).isEqualTo(0.3);

    nowMillis.addAndGet(2_000);
    assertThat(lag()).isEqualTo(2.3);
  }

  @Test
  void theLagThatACopySaysCounts() throws Exception {
    report(true, 2, 15, 0);
    report(false, 1, 10, 3_000);

    assertThat(lag()).isEqualTo(3);
  }

  @Test
  void theAgeOfAManifestBeginsWhenItIsFirstReported() throws Exception {
    report(false, 1, 10, 0);
    assertThat(value("varve.cluster.copy.manifest.age.seconds", "replica")).isZero();

    nowMillis.addAndGet(7_000);
    report(false, 1, 10, 0);
    assertThat(value("varve.cluster.copy.manifest.age.seconds", "replica")).isEqualTo(7);

    report(false, 2, 12, 0);
    assertThat(value("varve.cluster.copy.manifest.age.seconds", "replica")).isZero();
  }

  @Test
  void aRowEndsWithItsCopy() throws Exception {
    report(false, 1, 10, 0);
    assertThat(lag()).isZero();

    cluster.change(s -> FakeCluster.copy(s, s.nodes(), Map.of()));

    assertThat(lag()).isNaN();
  }
}
