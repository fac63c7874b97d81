package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SortedMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The process of the primary freezes and leaves the cluster while documents are acked but not
 * refreshed. Its replica, which shows none of them yet, is promoted and then has all of them. Then
 * the frozen process is killed with SIGKILL, restarts and is assigned a replica.
 */
@Tag("system")
@ExtendWith(RunningCluster.Shared.class)
class PromotedReplicaTest {

  private static final int SHOWN = 50;
  private static final int ACKED = 400;

  private RunningCluster cluster;
  private TestIndex index;

  @BeforeEach
  void take(RunningCluster shared) throws Exception {
    cluster = shared;
    cluster.awaitGreen();
    index = new TestIndex(cluster.rest(), "promoted");
    index
        .call(
            "PUT",
            "",
            "{\"settings\":{\"number_of_replicas\":1,\"index.refresh_interval\":\"-1\"}}")
        .orThrow();
    index.awaitGreen();
  }

  @Test
  void whatWasAckedAndNeverRefreshedIsThereAndTheLostPrimaryComesBackAsAReplica() throws Exception {
    index.index(0, SHOWN);
    index.refresh();
    index.index(SHOWN, ACKED);
    String lost = index.nodeOfPrimary();
    String replica = index.nodesOf("r").getFirst();

    cluster.freeze(lost);
    cluster.leaves(lost);
    Await.within(TestIndex.SOON).until(this::isWritable);
    assertThat(index.nodeOfPrimary()).isEqualTo(replica);
    cluster.kill(lost);

    index.awaitGreen();
    index.refresh();
    assertThat(index.nodeOfPrimary()).isEqualTo(replica);
    assertThat(index.nodesOf("r")).containsExactly(lost);
    SortedMap<String, String> onPrimary = index.contents("_primary");
    assertThat(onPrimary).hasSize(ACKED + 1);
    assertThat(index.contents("_replica")).isEqualTo(onPrimary);
    assertThat(onPrimary.get("d399")).startsWith("1 399 ");
  }

  private boolean isWritable() throws Exception {
    return index.call("PUT", "/_doc/after?timeout=1s", "{\"n\":-1}").status() / 100 == 2;
  }
}
