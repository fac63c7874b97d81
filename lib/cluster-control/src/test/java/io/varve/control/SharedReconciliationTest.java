package io.varve.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterView;
import io.varve.cluster.Clusters;
import io.varve.cluster.DiskUsage;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.Topics;
import io.varve.control.allocation.Reconciler;
import io.varve.control.allocation.StaleCopies;
import io.varve.control.command.Decision;
import io.varve.control.command.LeaseDecisions;
import io.varve.events.FeatureLevels;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A leader on one thread, whose tasks this test runs. The leader asks for the disks once in each
 * reconciliation.
 */
class SharedReconciliationTest {

  private static final NodeInfo NODE = Clusters.node("node", NodeInfo.PRIMARY, NodeInfo.REPLICA);
  private static final long NOW_MILLIS = 100_000;

  private final Deque<Runnable> tasks = new ArrayDeque<>();
  private final AtomicInteger reconciliations = new AtomicInteger();
  private final AtomicInteger ids = new AtomicInteger();
  private final InMemoryMessageLog messages = new InMemoryMessageLog(tasks::add, () -> 0);
  private final PartitionLog log = messages.open(new Topics("test", 1).clusterLog(), 0);
  private final ClusterView view = new ClusterView(log, _ -> {});
  private Runnable tick = () -> {};

  private final ClusterLeader leader =
      new ClusterLeader(
          new ClusterLeader.Identity("leader", "test", this::id, FeatureLevels.NEWEST),
          new ClusterLeader.Policies(
              new LeaderElection("leader", 1_000, 0),
              new Membership(5_000, 5_000),
              new MemberChecks(
                  new FaultDetection(new FaultDetection.Limits(5_000, 200)), (_, _, _) -> {}),
              new Reconciler(this::id),
              new StaleCopies(_ -> Optional.empty(), 30_000),
              new LeaseDecisions(() -> NOW_MILLIS)),
          log,
          view,
          new Signs(),
          new Loop());

  private String id() {
    return "id-" + ids.incrementAndGet();
  }

  private final class Loop implements LeaderLoop {
    @Override
    public boolean execute(Runnable task) {
      return tasks.add(task);
    }

    @Override
    public void repeat(Runnable task, long pauseMillis) {
      tick = task;
    }

    @Override
    public long nowMillis() {
      return NOW_MILLIS;
    }

    @Override
    public Executor blocking() {
      return tasks::add;
    }

    @Override
    public void close() {
      // The test runs no more tasks.
    }
  }

  private final class Signs implements NodeSigns {
    @Override
    public Heard heard(String nodeId) {
      return new Heard(NOW_MILLIS, 0);
    }

    @Override
    public Map<String, Membership.Sign> signs() {
      return Map.of("node", new Membership.Sign(Clusters.heartbeat(NODE), NOW_MILLIS));
    }

    @Override
    public Map<String, DiskUsage> disks() {
      reconciliations.incrementAndGet();
      return Map.of();
    }

    @Override
    public long leaderSilentMillis(long term, long sinceMillis) {
      return 0;
    }

    @Override
    public ClusterView.Registration onNews(Runnable listener) {
      return () -> {};
    }
  }

  private void runAll() {
    while (!tasks.isEmpty()) {
      tasks.removeFirst().run();
    }
  }

  @BeforeEach
  void lead() {
    view.start();
    runAll();
    leader.start();
    tasks.add(tick);
    runAll();
    assertThat(leader.isLeading()).isTrue();
    reconciliations.set(0);
  }

  private CompletableFuture<Long> create(String index) {
    return leader.submit(
        state -> Decision.of(new ClusterEvent.IndexCreated(Clusters.index(index, 1, 0))));
  }

  @Test
  void commandsThatWaitTogetherShareOne() {
    List<CompletableFuture<Long>> created = new ArrayList<>();
    for (int number = 0; number < 5; number++) {
      created.add(create("index-" + number));
    }
    runAll();

    assertThat(reconciliations).hasValue(1);
    assertThat(created)
        .allSatisfy(one -> assertThat(one.join()).isEqualTo(view.current().version()));
    assertThat(view.current().indices().values())
        .hasSize(5)
        .allSatisfy(index -> assertThat(index.shard(0).primary().isOn("node")).isTrue());
  }

  @Test
  void aCommandCompletesWithTheEventsOfTheReconcilerBehindIt() {
    CompletableFuture<Long> first = create("first");
    runAll();
    CompletableFuture<Long> second = create("second");
    runAll();

    assertThat(reconciliations).hasValue(2);
    assertThat(second.join()).isEqualTo(view.current().version()).isGreaterThan(first.join() + 1);
  }

  @Test
  void aCommandOfATermThatEndsMeanwhileIsAnsweredAllTheSame() {
    CompletableFuture<Long> created = create("index");
    leader.close();
    runAll();

    assertThat(leader.isLeading()).isFalse();
    assertThat(reconciliations).hasValue(0);
    assertThat(created).isDone();
  }
}
