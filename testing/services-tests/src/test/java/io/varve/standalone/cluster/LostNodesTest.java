package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Nodes leave and return. Their copies are moved to other nodes or stay unassigned. */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class LostNodesTest {

  private ServicesInOneJvm cluster;

  @BeforeEach
  void take(ServicesInOneJvm shared) {
    cluster = shared;
  }

  private TestIndex create(String name, int replicas, String more) throws Exception {
    return cluster.create(
        name,
        "{\"number_of_replicas\":%d,\"refresh_interval\":\"-1\"%s}".formatted(replicas, more));
  }

  private static String allocationId(TestIndex index, String node) throws IOException {
    return index.copies("id").stream()
        .filter(row -> row.path("node").asString("").equals(node))
        .map(row -> row.path("id").asString())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theReplicaThatTakesOverGoesOnWithTheNextNumberAndIsBehindNobody() throws Exception {
    TestIndex index = create("taken-over", 1, "");
    index.index(0, 50);
    index.refresh();
    index.delete(0, 10);
    index.call("POST", "/_forcemerge?max_num_segments=1", "").orThrow();
    String lost = index.nodeOfPrimary();
    cluster.stop(lost);
    try {
      index.awaitPrimaryElsewhereThan(lost);
      JsonNode next = index.put(50);

      assertThat(next.path("_seq_no").asLong()).as("after 50 and 10 operations").isEqualTo(60);
      index.refresh();
      assertThat(index.count("_primary")).isEqualTo(41);
    } finally {
      cluster.start(lost);
    }
    index.awaitGreen();
    assertThat(index.nodeOfPrimary()).isNotEqualTo(lost);
    index.awaitCount("_replica", 41);
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .untilAsserted(() ->
            assertThat(index.replicationRows(""))
                .singleElement()
                .returns("0", row -> row.path("checkpoints_behind").asString())
                .returns("0b", row -> row.path("bytes_behind").asString()));
  }

  @Test
  void aReplicaThatWasCopyingTakesOverAsTheCopyThatItIs() throws Exception {
    TestIndex index = create("mid-copy", 1, ",\"remote_store.enabled\":false");
    index.index(0, 50);
    index.refresh();
    String lost = index.nodeOfPrimary();
    String replica = index.nodesOf("r").getFirst();
    String id = allocationId(index, replica);
    cluster.gate().close(index);
    index.index(50, 100);
    index.call("POST", "/_flush", "").orThrow();
    cluster.stop(lost);
    try {
      index.awaitPrimaryElsewhereThan(lost);

      assertThat(index.nodeOfPrimary()).isEqualTo(replica);
      assertThat(allocationId(index, replica)).isEqualTo(id);
      index.refresh();
      assertThat(index.count("_primary")).isEqualTo(100);
    } finally {
      cluster.gate().open(index);
      cluster.start(lost);
    }
    index.awaitGreen();
    index.awaitCount("_replica", 100);
  }

  @Test
  void aSearchCopyServesWhileThereIsNoPrimaryAndFollowsItsSuccessor() throws Exception {
    TestIndex index = create("searched", 0, ",\"number_of_search_replicas\":1");
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .until(() -> index.nodesOf("s").equals(List.of(ServicesInOneJvm.SEARCH_NODE)));
    String searched = "_only_nodes:" + cluster.idOf(ServicesInOneJvm.SEARCH_NODE);
    index.index(0, 30);
    index.refresh();
    index.awaitCount(searched, 30);
    String lost = index.nodeOfPrimary();
    cluster.stop(lost);
    try {
      index.awaitHealth("red");
      assertThat(index.count("")).isEqualTo(30);
      assertThat(index.nodesOf("p")).as("a search copy is never promoted").isEmpty();
    } finally {
      cluster.start(lost);
    }
    index.awaitGreen();
    index.index(30, 40);
    index.refresh();
    index.awaitCount(searched, 40);
  }

  @Test
  void aSearchCopyThatIsStartedAgainFetchesNothing() throws Exception {
    TestIndex index = create("searched-again", 0, ",\"number_of_search_replicas\":1");
    Awaitility.await()
        .atMost(TestIndex.SOON)
        .until(() -> index.nodesOf("s").equals(List.of(ServicesInOneJvm.SEARCH_NODE)));
    String searched = "_only_nodes:" + cluster.idOf(ServicesInOneJvm.SEARCH_NODE);
    index.index(0, 200);
    index.refresh();
    index.awaitCount(searched, 200);
    cluster.restart(ServicesInOneJvm.SEARCH_NODE);
    index.awaitCount(searched, 200);

    for (JsonNode recovery : index.get("/_recovery").at("/searched-again/shards")) {
      if (recovery.at("/target/name").asString("").equals(ServicesInOneJvm.SEARCH_NODE)) {
        assertThat(recovery.path("type").asString()).isEqualTo("EXISTING_STORE");
        assertThat(recovery.at("/index/size/recovered_in_bytes").asLong()).isZero();
        assertThat(recovery.at("/index/size/reused_in_bytes").asLong()).isPositive();
        return;
      }
    }
    throw new AssertionError("no recovery of the search copy");
  }
}
