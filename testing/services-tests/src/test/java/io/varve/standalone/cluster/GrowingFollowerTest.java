package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Replicas are added to a follower while its leader, an index of the same cluster, is written to,
 * and the follower is refreshed, flushed and merged. Each copy ends with what the leader has.
 */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class GrowingFollowerTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);
  private static final int BATCH = 50;

  private ServicesInOneJvm cluster;
  private RestCalls rest;
  private TestIndex leader;
  private TestIndex follower;
  private int documents;

  @BeforeEach
  void start(ServicesInOneJvm shared) throws Exception {
    cluster = shared;
    rest = cluster.rest();
    cluster.start(ServicesInOneJvm.PULLER);
    leader = cluster.create("origin", "{\"number_of_replicas\":0,\"remote_store.enabled\":false}");
    write();
    remote("\"127.0.0.1:" + cluster.port("coordinator") + "\"");
  }

  @AfterEach
  void end() throws Exception {
    remote("");
    cluster.stop(ServicesInOneJvm.PULLER);
  }

  private void remote(String seeds) throws IOException {
    rest.call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"cluster.remote.itself.seeds\":[" + seeds + "]}}")
        .orThrow();
  }

  private void follow(String type) throws IOException {
    rest.call(
            "PUT",
            "/copy/_ccr/follow?wait_for_active_shards=1",
            """
            {"remote_cluster":"itself","leader_index":"origin","settings":{
              "index.number_of_replicas":0,"index.refresh_interval":"200ms",
              "index.remote_store.enabled":false,"index.replication.type":"%s"}}\
            """
                .formatted(type))
        .orThrow();
    follower = new TestIndex(rest, "copy");
  }

  private void write() throws IOException {
    leader.index(documents, documents + BATCH);
    leader.delete(documents, documents + BATCH / 10);
    documents += BATCH;
  }

  private void replicas(int number) throws IOException {
    rest.call("PUT", "/copy/_settings", "{\"index.number_of_replicas\":" + number + "}").orThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void replicasThatAreAddedWhileItFollowsHaveWhatTheLeaderHas(String type) throws Exception {
    follow(type);
    follower.awaitHealth("green");
    for (String during : List.of("/_flush", "/_forcemerge?max_num_segments=1", "/_refresh")) {
      replicas(during.equals("/_flush") ? 1 : 2);
      write();
      follower.call("POST", during, "").orThrow();
      write();
    }
    leader.refresh();
    SortedMap<String, String> written = leader.contents("_primary");

    follower.awaitGreen();
    List<String> replicas = follower.nodesOf("r");
    assertThat(replicas).hasSize(2);
    for (String node : replicas) {
      String copy = "_only_nodes:" + cluster.idOf(node);
      Await.within(WITHIN)
          .pollInterval(Duration.ofMillis(200))
          .untilAsserted(() -> {
            follower.refresh();
            assertThat(follower.contents(copy)).isEqualTo(written);
          });
    }
  }
}
