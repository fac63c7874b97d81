package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A follower of a strongly consistent leader has only what all copies of the leader hold. */
@Tag("system")
@ExtendWith({ServicesInOneJvm.Shared.class, RunningCluster.Shared.class})
class FollowedStrongLeaderTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);

  @Test
  void anOperationArrivesAfterAllCopiesOfTheLeaderHoldIt(
      ServicesInOneJvm leading, RunningCluster following) throws Exception {
    TestIndex leader =
        leading.create(
            "ledger",
            """
            {"number_of_replicas":1,"refresh_interval":"100ms","index.replication.type":"SEGMENT",
             "remote_store.enabled":false,"index.replication.consistency":"strong"}
            """);
    leader.put(0);
    follow(following.rest(), "127.0.0.1:" + leading.port("coordinator"));
    awaitDocuments(following.rest(), 1);

    leading.gate().close(leader);
    leader.put(1);
    leader.put(2);
    Await.within(WITHIN).until(() -> operationsRead(following.rest()) >= 3);
    assertThat(documents(following.rest()))
        .as("the replica of the leader does not show the new documents")
        .isEqualTo(1);

    leading.gate().open(leader);
    awaitDocuments(following.rest(), 3);
  }

  private static void follow(RestCalls follower, String seed) throws IOException {
    follower
        .call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"cluster.remote.main.seeds\":[\"" + seed + "\"]}}")
        .orThrow();
    follower
        .call(
            "PUT",
            "/ledger/_ccr/follow",
            "{\"remote_cluster\":\"main\",\"leader_index\":\"ledger\"}")
        .orThrow();
  }

  private static long operationsRead(RestCalls follower) throws IOException {
    return follower
        .get("/ledger/_ccr/stats")
        .orThrow()
        .json()
        .at("/indices/0/shards/0/operations_read")
        .asLong();
  }

  private static int documents(RestCalls follower) throws IOException {
    follower.call("POST", "/ledger/_refresh", "").orThrow();
    return follower.get("/ledger/_count").orThrow().json().path("count").asInt();
  }

  private static void awaitDocuments(RestCalls follower, int count) {
    Await.within(WITHIN).untilAsserted(() -> assertThat(documents(follower)).isEqualTo(count));
  }
}
