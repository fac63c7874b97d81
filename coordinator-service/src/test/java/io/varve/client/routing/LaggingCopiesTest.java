package io.varve.client.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterSettings;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.CopyProgress;
import io.varve.events.ShardId;
import io.varve.rpc.ApiException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LaggingCopiesTest {

  private final RestHarness rest = new RestHarness();

  @BeforeEach
  void makeIndex() {
    rest.cluster.searchedInTurn();
    rest.cluster.index("books", 1);
    rest.cluster.setting(ClusterSettings.DRAIN_TIME, "10s");
    say("books0p", true, 9, 0);
  }

  @AfterEach
  void end() {
    rest.close();
  }

  private void say(String copyId, boolean primary, long visible, long millisBehind) {
    rest.cluster.progress(
        new CopyProgress(
            copyId,
            new ShardId("books-uuid", 0),
            primary ? FakeCluster.PRIMARY_NODE : FakeCluster.REPLICA_NODE,
            primary,
            "STARTED",
            7,
            1,
            1,
            visible,
            visible,
            0,
            millisBehind > 0 ? 1 : 0,
            millisBehind,
            0,
            0,
            0,
            0));
  }

  private long searchesOfTheReplica(String preference) {
    rest.shards.calls().clear();
    for (int i = 0; i < 4; i++) {
      assertThat(rest.call("GET /books/_search" + preference).getStatus()).isEqualTo(200);
    }
    return rest.shards.calls().stream().filter("search books0r"::equals).count();
  }

  @Test
  void searchesGoToTheOtherCopiesUntilItHasCaughtUp() throws Exception {
    say("books0r", false, 8, 1_000);
    assertThat(searchesOfTheReplica("")).isEqualTo(2);

    say("books0r", false, 8, 10_001);
    assertThat(searchesOfTheReplica("")).isZero();
    assertThat(
            rest.call("GET /_cat/segment_replication?h=shardId,drained")
                .getContentAsString()
                .strip())
        .isEqualTo("[books][0] true");
    assertThat(
            rest.call(
                    "GET /_cluster/allocation/explain",
                    "{\"index\":\"books\",\"shard\":0,\"primary\":false}")
                .getContentAsString())
        .contains("\"searches\":\"none: it lags behind its primary\"");

    // Just below the limit the copy would alternate: it stays drained until its lag is well below
    // the limit.
    say("books0r", false, 8, 9_000);
    assertThat(searchesOfTheReplica("")).isZero();
    say("books0r", false, 8, 4_000);
    assertThat(searchesOfTheReplica("")).isEqualTo(2);
  }

  @Test
  void theOnlyCopyThatMayBeAskedIsAsked() {
    say("books0r", false, 8, 99_999);
    assertThat(searchesOfTheReplica("?preference=_replica")).isEqualTo(4);
  }

  @Test
  void whenTheFitCopyFailsTheOtherOneAnswers() {
    say("books0r", false, 8, 99_999);
    rest.shards.fail("books0p", new ApiException(503, "x_exception", "down"));
    assertThat(searchesOfTheReplica("")).isEqualTo(4);
  }
}
