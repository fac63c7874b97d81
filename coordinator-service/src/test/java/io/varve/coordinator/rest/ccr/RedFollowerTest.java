package io.varve.coordinator.rest.ccr;

import static io.varve.coordinator.rest.RestHarness.json;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.Replacement;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.events.ShardId;
import io.varve.rpc.CopyRecovery;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.JsonNode;

/** A follower whose primary can't be started, as statistics and status show it. */
@Timeout(180)
class RedFollowerTest extends FollowWorld {

  private static final ShardId SHARD = new ShardId("mine-uuid", 0);
  private static final FollowRelation FOLLOW =
      new FollowRelation("east", "books", "uuid-of-leader", "puller", 1);

  private JsonNode stats() {
    return json(rest.call("GET /mine/_ccr/stats")).at("/indices/0/shards/0");
  }

  private JsonNode status() {
    return json(rest.call("GET /_plugins/_replication/mine/_status"));
  }

  private void primaryFails(String reason) {
    rest.cluster.change(state ->
        state.apply(new ClusterEvent.CopyUnassigned(SHARD, "c0", "ALLOCATION_FAILED: " + reason)));
  }

  @Test
  void theFailureOfThePrimaryIsTheErrorOfItsShard() {
    follower("mine", 1);
    primaryFails("no copy has its content");

    String reason =
        "the follower's primary is not started: ALLOCATION_FAILED: no copy has its content";
    assertThat(stats().path("last_error").asString()).isEqualTo(reason);
    assertThat(stats().at("/read_exceptions/0/exception/reason").asString()).isEqualTo(reason);
    assertThat(status().path("reason").asString()).isEqualTo(reason);
  }

  @Test
  void theErrorOfAPullerThatCannotContinueIsItsOwn() {
    follower("mine", 1);
    pullingNode("puller", "http://" + other.address());
    other.reports(refusing(puller("mine", 0, 40, 30), 42, 31));
    primaryFails("no copy has its content");

    assertThat(stats().path("last_error").asString()).isEqualTo("400 mapper_parsing_exception");
    assertThat(status().path("reason").asString()).isEqualTo("400 mapper_parsing_exception");
  }

  @Test
  void aNodeThatLeftIsNamed() {
    follower("mine", 1);
    pullingNode("puller", "http://" + other.address());
    other.reports(puller("mine", 0, 40, 30));
    rest.cluster.leave(FakeCluster.PRIMARY_NODE);

    assertThat(stats().path("last_error").asString())
        .isEqualTo("node " + FakeCluster.PRIMARY_NODE + " of the follower's primary left");
  }

  @Test
  void anIndexThatIsCopiedAgainBootstraps() {
    follower("mine", 1, FOLLOW);
    follower(".rebootstrap-mine", 1, Replacement.begin("mine-uuid", FOLLOW, "uuid-of-leader"));
    pullingNode("puller", "http://" + other.address());
    other.reports(puller("mine", 0, 40, 30));
    primaryFails("no copy has its content");

    assertThat(status().path("status").asString()).isEqualTo("BOOTSTRAPPING");
    assertThat(status().at("/bootstrap_details/bytes_total").asInt(-1)).isZero();
  }

  @Test
  void theDetailsOfABootstrapAreSumsOverThePrimaries() {
    CopyRecovery.File done = new CopyRecovery.File("_0.cfs", 300, 300, false);
    CopyRecovery.File half = new CopyRecovery.File("_1.cfs", 500, 100, false);
    CopyRecovery.File kept = new CopyRecovery.File("_2.cfs", 200, 0, true);

    assertThat(
            BootstrapDetails.of(
                List.of(
                    recovery(0, true, 7_000, List.of(done, half)),
                    recovery(1, true, 6_000, List.of(kept)),
                    recovery(0, false, 1_000, List.of(half)))))
        .hasToString(
            "{bytes_total=1000, bytes_recovered=600, bytes_percent=60.0, files_total=3,"
                + " files_recovered=2, files_percent=66.66666666666667, start_time=6000,"
                + " running_time=40}");
  }

  private static CopyRecovery recovery(
      int shard, boolean primary, long startMillis, List<CopyRecovery.File> files) {
    return new CopyRecovery(
        new ShardId("mine-uuid", shard),
        "c" + shard,
        primary,
        "PEER",
        "INDEX",
        new CopyRecovery.Times(startMillis, 0, 40, 0, 0),
        null,
        files,
        0);
  }
}
