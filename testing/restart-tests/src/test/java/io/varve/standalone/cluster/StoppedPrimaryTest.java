package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The process of the primary is stopped again and again while clients write documents with ids of
 * their own, which a coordinator may not send again. Each write is acked, and done once.
 */
@Tag("system")
class StoppedPrimaryTest {

  private static final int WRITERS = 8;

  /** Each of the two nodes is stopped once. */
  private static final int STOPS = 2;

  /** More documents than a writer creates. */
  private static final int APART = 1_000_000;

  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(5);

  /** The stopped process starts again on a machine that runs the rest of the cluster as well. */
  private static final Duration GREEN_WITHIN = Duration.ofMinutes(20);

  @TempDir Path data;
  private RunningCluster cluster;
  private final List<CreateLoad> writes = new ArrayList<>();
  private LoadBalancer balancer;

  /** The options of the cluster. */
  List<String> options() {
    return List.of("--shard-services", "1", "--replication-services", "1", "--ccr-followers", "0");
  }

  @BeforeEach
  void start() throws Exception {
    cluster = RunningCluster.start(data, options().toArray(String[]::new));
  }

  @AfterEach
  void stop() throws Exception {
    stopLoad();
    cluster.close();
  }

  private void stopLoad() throws Exception {
    for (CreateLoad load : writes) {
      load.close();
    }
    if (balancer != null) {
      balancer.close();
    }
  }

  @Test
  void everyWriteIsAnsweredAndDoneOnce() throws Exception {
    TestIndex index = new TestIndex(cluster.rest(), "stopped");
    index
        .call(
            "PUT",
            "",
            """
            {"settings":{"number_of_replicas":1,"refresh_interval":"200ms"},
             "mappings":{"properties":{"n":{"type":"integer"}}}}\
            """)
        .orThrow();
    index.awaitGreen();
    balancer = new LoadBalancer(cluster.url(), cluster.url(), CALL_TIMEOUT, cluster.access());
    for (int i = 0; i < WRITERS; i++) {
      writes.add(new CreateLoad(balancer, index.name(), i * APART));
    }

    for (int stop = 0; stop < STOPS; stop++) {
      writes.forEach(load -> load.awaitMore(20));
      cluster.terminate(index.nodeOfPrimary());
      writes.forEach(load -> load.awaitMore(20));
      for (CreateLoad load : writes) {
        assertThat(load.refused()).as("after stop %d", stop).isEmpty();
        assertThat(load.unknown()).as("after stop %d", stop).isZero();
      }
      Await.within(GREEN_WITHIN)
          .until(() ->
              cluster
                  .rest()
                  .get("/_cluster/health")
                  .json()
                  .path("status")
                  .asString("")
                  .equals("green"));
    }
    stopLoad();

    index.refresh();
    SortedMap<String, String> onPrimary = index.contents("_primary");
    for (int i = 0; i < WRITERS; i++) {
      for (int n = i * APART; n < writes.get(i).acked(); n++) {
        assertThat(onPrimary.remove("d" + n)).as("d%d", n).startsWith("1 ");
      }
    }
    assertThat(onPrimary).isEmpty();
  }
}
