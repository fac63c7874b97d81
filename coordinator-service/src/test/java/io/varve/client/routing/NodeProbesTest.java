package io.varve.client.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.FakeNodes;
import io.varve.rpc.ApiException;
import io.varve.selection.Purpose;
import io.varve.selection.ReplicaSelection;
import io.varve.selection.SelectionSettings;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes are asked for their load only while there are searches. */
class NodeProbesTest {

  private static final Duration SOON = Duration.ofSeconds(60);

  private final Thread test = Thread.currentThread();
  private final AtomicBoolean unknown = new AtomicBoolean();
  private final FakeCluster cluster = new BeginningCluster().index("a", 1);
  private final FakeNodes nodes = new FakeNodes();
  private final AtomicLong nanos = new AtomicLong();
  private final NodeGuards guards = new NodeGuards(nanos::get);
  private final ClusterSelection selection =
      new ClusterSelection(
          cluster,
          new ReplicaSelection(SelectionSettings.DEFAULTS, nanos::get, new SplittableRandom(1)),
          new RetryBudget(),
          guards);
  private final NodeProbes probes = new NodeProbes(cluster, selection, guards, nodes);

  /** A cluster without a state at first. */
  private final class BeginningCluster extends FakeCluster {
    @Override
    public ClusterState state() {
      if (!test.equals(Thread.currentThread()) && unknown.getAndSet(false)) {
        throw new ApiException(503, "cluster_block_exception", "not recovered");
      }
      return super.state();
    }
  }

  @BeforeEach
  void start() {
    unknown.set(true);
    probes.start();
  }

  @AfterEach
  void close() {
    probes.close();
  }

  private void search() {
    selection.search(cluster.state(), "kind").sent("s", FakeCluster.PRIMARY_NODE, Purpose.FIRST);
  }

  /** A search, and enough time after it for the next probe of a node. */
  private void searchAndWait() {
    search();
    nanos.addAndGet(Duration.ofMillis(200).toNanos());
  }

  private long asked() {
    return nodes.calls().stream().filter(("load " + FakeCluster.PRIMARY_NODE)::equals).count();
  }

  @Test
  void itWaitsUntilSomebodySearchesAndAgainWhenNobodyDoes() {
    await().atMost(SOON).until(selection::isAwaited);
    assertThat(asked()).isZero();

    searchAndWait();
    await().atMost(SOON).until(() -> asked() > 0);

    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    await().atMost(SOON).until(selection::isAwaited);
    long before = asked();
    // A node's answer counts from its arrival, which may be after the pause.
    await()
        .atMost(SOON)
        .until(() -> {
          searchAndWait();
          return asked() > before;
        });
  }

  @Test
  void whereSettingsWantNoProbesItWaitsForOthers() {
    cluster.setting(ClusterSettings.SELECTION_PROBES, "0");
    searchAndWait();

    cluster.setting(ClusterSettings.SELECTION_PROBES, "10ms");

    await()
        .atMost(SOON)
        .until(() -> {
          search();
          return asked() > 0;
        });
  }
}
