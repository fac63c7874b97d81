package io.varve.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterView;
import io.varve.cluster.Clusters;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Topics;
import io.varve.control.allocation.Reconciler;
import io.varve.control.allocation.StaleCopies;
import io.varve.control.command.Decision;
import io.varve.control.command.LeaseDecisions;
import io.varve.events.FeatureLevels;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.DelegatingLog;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Leaders on an in-memory log, with fences of other leaders and injected append failures. */
class ClusterLeaderTest {

  private final ExecutorService delivering =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().factory());
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final InMemoryMessageLog messages = new InMemoryMessageLog(delivering, () -> 0);
  private final Topics topics = new Topics("test", 1);
  private final AtomicLong nowMillis = new AtomicLong();
  private final AtomicInteger ids = new AtomicInteger();
  private final Deque<AutoCloseable> running = new ArrayDeque<>();
  private final Queue<String> probes = new ConcurrentLinkedQueue<>();
  private volatile String unheard = "";

  @AfterEach
  void stopAll() throws Exception {
    while (!running.isEmpty()) {
      running.pop().close();
    }
    delivering.shutdown();
    blocking.shutdown();
  }

  /** A log that, on request, loses appends so that their outcome is unknown, or refuses reads. */
  private static final class Flaky extends DelegatingLog {
    final AtomicBoolean losing = new AtomicBoolean();
    final AtomicBoolean unreadable = new AtomicBoolean();

    Flaky(PartitionLog log) {
      super(log);
    }

    @Override
    public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
      if (losing.get()) {
        callback.unknown("lost on purpose");
      } else {
        super.append(record, callback);
      }
    }

    @Override
    public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
      if (unreadable.get()) {
        throw new LogException.Unavailable("unreadable on purpose");
      }
      super.read(fromOffset, toOffset, visitor);
    }
  }

  /** A coordinator without its HTTP server. */
  private final class Coordinator {
    final Flaky log = new Flaky(messages.open(topics.clusterLog(), 0));
    final ClusterView view = new ClusterView(log, reason -> {});
    final MemberChecks checks =
        new MemberChecks(
            new FaultDetection(new FaultDetection.Limits(1_000, 200)),
            ClusterLeaderTest.this::probe);
    final ClusterLeader leader;

    Coordinator(String nodeId) throws LogException {
      this(nodeId, FeatureLevels.NEWEST);
    }

    Coordinator(String nodeId, int featureLevel) throws LogException {
      NodeTracker nodes = new NodeTracker(messages, topics, nowMillis::get, 500, blocking);
      nodes.start();
      leader =
          new ClusterLeader(
              new ClusterLeader.Identity(nodeId, "test", this::id, featureLevel),
              new ClusterLeader.Policies(
                  new LeaderElection(nodeId, 1_000, 0),
                  new Membership(5_000, 1_000),
                  checks,
                  new Reconciler(this::id),
                  new StaleCopies(_ -> Optional.empty(), 30_000),
                  new LeaseDecisions(nowMillis::get)),
              log,
              view,
              nodes,
              new LeaderThread(nowMillis::get, blocking));
      running.push(leader);
      running.push(view);
      view.start();
    }

    private String id() {
      return "id-" + ids.incrementAndGet();
    }

    long set(String name, String value) throws Exception {
      return leader
          .submit(state ->
              Decision.of(
                  new ClusterEvent.ClusterSettingsChanged(
                      with(state.persistentSettings(), name, value), Map.of())))
          .get(60, TimeUnit.SECONDS);
    }
  }

  /** The outcomes of probes of the address that nothing listens at; others accept. */
  private void probe(String url, long delayMillis, Consumer<AddressProbe.Outcome> result) {
    blocking.execute(() -> {
      probes.add(url);
      nowMillis.addAndGet(delayMillis);
      result.accept(
          url.equals(unheard) ? AddressProbe.Outcome.REFUSED : AddressProbe.Outcome.ACCEPTED);
    });
  }

  private void beat(NodeInfo node) throws LogException.Full {
    messages
        .open(topics.nodes(), Topics.partitionOf(node.nodeId(), Topics.NODES_PARTITIONS))
        .append(
            RawRecord.keyed(
                node.nodeId().getBytes(StandardCharsets.UTF_8),
                Json.write(Clusters.heartbeat(node))),
            new PartitionLog.AppendCallback() {
              @Override
              public void appended(long offset, long timestampMillis) {
                assertThat(offset).isNotNegative();
              }

              @Override
              public void unknown(String reason) {
                throw new AssertionError(reason);
              }
            });
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofMinutes(1));
  }

  private static Map<String, String> with(Map<String, String> map, String key, String value) {
    Map<String, String> copy = new TreeMap<>(map);
    copy.put(key, value);
    return copy;
  }

  private void fence(long term, String nodeId) throws LogException.Full {
    messages
        .open(topics.clusterLog(), 0)
        .append(
            RecordHeader.fence(term, nodeId),
            new PartitionLog.AppendCallback() {
              @Override
              public void appended(long offset, long timestampMillis) {
                assertThat(offset).isNotNegative();
              }

              @Override
              public void unknown(String reason) {
                throw new AssertionError(reason);
              }
            });
  }

  @Test
  void ofTwoThatTryAtOnceOneLeads() throws Exception {
    Coordinator a = new Coordinator("a");
    Coordinator b = new Coordinator("b");
    a.leader.start();
    b.leader.start();
    await().until(() -> a.leader.isLeading() || b.leader.isLeading());
    await().until(() -> a.leader.isLeading() != b.leader.isLeading());
    Coordinator leading = a.leader.isLeading() ? a : b;
    Coordinator other = leading == a ? b : a;
    leading.set("k", "v");
    assertThatThrownBy(() -> other.set("k", "w"))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(421));
    await().until(() -> other.view.current().persistentSettings().equals(Map.of("k", "v")));
    assertThat(other.view.current().leaderTerm()).isLessThanOrEqualTo(2);
  }

  @Test
  void decidesOnItsOwnEventsBeforeTheyAreAccepted() throws Exception {
    Coordinator a = new Coordinator("a");
    a.leader.start();
    await().until(a.leader::isLeading);
    List<CompletableFuture<Long>> all = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      String name = "k" + i;
      all.add(
          a.leader.submit(state ->
              Decision.of(
                  new ClusterEvent.ClusterSettingsChanged(
                      with(state.persistentSettings(), name, "v"), Map.of()))));
    }
    for (var accepted : all) {
      assertThat(accepted.get(60, TimeUnit.SECONDS)).isPositive();
    }
    await().until(() -> a.view.current().persistentSettings().size() == 100);
  }

  @Test
  void stepsDownAfterAnotherFenceAndLeadsAgainWhenTheOtherLeaderIsSilent() throws Exception {
    Coordinator a = new Coordinator("a");
    a.leader.start();
    await().until(a.leader::isLeading);
    a.set("before", "v");
    fence(a.view.current().leaderTerm() + 1, "other");
    await().until(() -> !a.leader.isLeading());
    assertThatThrownBy(() -> a.set("meanwhile", "v")).hasCauseInstanceOf(ApiException.class);

    // The timeout of the leader begins when its fence is read.
    await()
        .until(() -> {
          nowMillis.addAndGet(1_000);
          return a.leader.isLeading();
        });
    a.set("after", "v");
    await().until(() -> a.view.current().persistentSettings().size() == 2);
    assertThat(a.view.current().leaderTerm()).isEqualTo(3);
  }

  @Test
  void truncatesTheLogAndASuccessorStartsFromTheSnapshot() throws Exception {
    PartitionLog log = messages.open(topics.clusterLog(), 0);
    Coordinator a = new Coordinator("a");
    a.leader.start();
    await().until(a.leader::isLeading);
    a.set(ClusterSettings.SNAPSHOT_RECORDS, "10");
    for (int i = 0; i < 60; i++) {
      a.set("name" + i % 7, "value" + i);
    }
    await().until(() -> log.startOffset() > 0);
    a.leader.close();

    Coordinator b = new Coordinator("b");
    await().until(() -> b.view.position().current() == log.endOffset());
    assertThat(b.view.current()).isEqualTo(a.view.current());
    b.leader.start();
    await()
        .until(() -> {
          nowMillis.addAndGet(1_000);
          return b.leader.isLeading();
        });
    b.set("after", "v");
    await().until(() -> a.view.current().persistentSettings().containsKey("after"));
    assertThat(a.view.current()).isEqualTo(b.view.current());
    assertThat(log.endOffset() - log.startOffset()).isLessThan(60);
  }

  @Test
  void writesNoSnapshotBelowTheFeatureLevelThatHasThem() throws Exception {
    PartitionLog log = messages.open(topics.clusterLog(), 0);
    Coordinator a = new Coordinator("a", FeatureLevels.FIRST);
    a.leader.start();
    await().until(a.leader::isLeading);
    a.set(ClusterSettings.SNAPSHOT_RECORDS, "10");
    for (int i = 0; i < 30; i++) {
      a.set("name", "value" + i);
    }
    await().until(() -> a.view.position().current() == log.endOffset());
    assertThat(a.view.current().featureLevel()).isEqualTo(1);
    assertThat(log.endOffset()).as("one fence, the beginning and 31 changes").isEqualTo(33);
  }

  @Test
  void announcesThatItLeadsWhileItsThreadMakesProgress() throws Exception {
    Coordinator a = new Coordinator("a");
    assertThat(a.leader.leadingTerm()).isZero();
    a.leader.start();
    await().until(a.leader::isLeading);
    assertThat(a.leader.leadingTerm()).isEqualTo(1);
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> held = new CompletableFuture<>();
    CompletableFuture<Long> command =
        a.leader.submit(state -> {
          begun.complete(null);
          held.join();
          return Decision.of();
        });
    begun.get(60, TimeUnit.SECONDS);
    nowMillis.addAndGet(20_000);
    assertThat(a.leader.leadingTerm()).as("the thread is held").isZero();
    held.complete(null);
    command.get(60, TimeUnit.SECONDS);
    await().until(() -> a.leader.leadingTerm() == 1);
  }

  @Test
  void backsOffWhenItWinsTheTermButCannotReadTheLog() throws Exception {
    Coordinator a = new Coordinator("a");
    a.log.unreadable.set(true);
    a.leader.start();
    await().until(() -> a.view.current().leaderTerm() == 1);
    // The pause is 1 s of the test's clock, then 2 s: without it each tick would start a new term.
    await()
        .during(Duration.ofMillis(3 * ClusterLeader.TICK_MILLIS))
        .until(() -> a.view.current().leaderTerm() == 1);
    // A pause begins when reading the log fails.
    await()
        .until(() -> {
          nowMillis.addAndGet(1_000);
          return a.view.current().leaderTerm() > 1;
        });
    a.log.unreadable.set(false);
    await()
        .until(() -> {
          nowMillis.addAndGet(1_000);
          return a.leader.isLeading();
        });
  }

  @Test
  void removesAReportedProcessThatRefusesConnectionsAndAdmitsItsSuccessor() throws Exception {
    Coordinator a = new Coordinator("a");
    NodeInfo node = Clusters.node("p", "primary");
    a.leader.start();
    await().until(a.leader::isLeading);
    beat(node);
    await().until(() -> a.view.current().nodes().containsKey("p"));

    unheard = node.url();
    a.leader.disconnected("p", "another incarnation");
    a.leader.disconnected("p", node.incarnation());
    await().until(() -> a.view.current().nodes().isEmpty());
    assertThat(nowMillis).as("far below the node timeout").hasValueLessThan(2_500);
    assertThat(probes).containsExactly(node.url(), node.url());
    assertThat(a.checks.suspicions(FaultDetection.Cause.DISCONNECTED)).isEqualTo(1);
    assertThat(a.checks.refusedRemovals()).isEqualTo(1);
    assertThat(a.checks.silentRemovals()).isZero();

    a.set("later", "v");
    assertThat(a.view.current().nodes()).as("its last heartbeat does not admit it").isEmpty();
    beat(new NodeInfo("p", "p", "p-2", Set.of("primary"), "http://p:2"));
    await().until(() -> a.view.current().nodes().containsKey("p"));
  }

  @Test
  void keepsASilentProcessThatAcceptsConnectionsUntilTheNodeTimeout() throws Exception {
    Coordinator a = new Coordinator("a");
    NodeInfo node = Clusters.node("p", "primary");
    a.leader.start();
    await().until(a.leader::isLeading);
    beat(node);
    await().until(() -> a.view.current().nodes().containsKey("p"));

    nowMillis.addAndGet(1_800);
    await().until(() -> probes.size() == 1);
    a.set("later", "v");
    assertThat(a.view.current().nodes()).containsOnlyKeys("p");
    assertThat(a.checks.suspicions(FaultDetection.Cause.SILENT)).isEqualTo(1);

    // Heartbeats of this coordinator show that the topic delivers.
    NodeInfo self = Clusters.node("a", "coordinator");
    await()
        .until(() -> {
          nowMillis.addAndGet(500);
          beat(self);
          return a.checks.silentRemovals() == 1;
        });
    await().until(() -> !a.view.current().nodes().containsKey("p"));
    assertThat(a.checks.refusedRemovals()).isZero();
  }

  @Test
  void aTermGivenTwiceIsHarmless() throws Exception {
    Coordinator a = new Coordinator("a");
    a.leader.start();
    await().until(a.leader::isLeading);
    fence(a.view.current().leaderTerm(), "other");
    a.set("k", "v");
    assertThat(a.leader.isLeading()).isTrue();
    await().until(() -> a.view.current().persistentSettings().equals(Map.of("k", "v")));
    assertThat(a.view.current().leaderNodeId()).isEqualTo("a");
  }

  @Test
  void takesANewTermAfterAnAppendWithAnUnknownOutcome() throws Exception {
    Coordinator a = new Coordinator("a");
    a.leader.start();
    await().until(a.leader::isLeading);
    a.set("before", "v");
    a.log.losing.set(true);
    assertThatThrownBy(() -> a.set("lost", "v"))
        .cause()
        .isInstanceOfSatisfying(
            ApiException.class, e -> assertThat(e.error().status()).isEqualTo(503));
    await().until(() -> !a.leader.isLeading());
    a.log.losing.set(false);
    await().until(a.leader::isLeading);
    a.set("after", "v");
    await()
        .until(() ->
            a.view.current().persistentSettings().equals(Map.of("before", "v", "after", "v")));
    assertThat(a.view.current().leaderTerm()).isGreaterThan(1);
  }
}
