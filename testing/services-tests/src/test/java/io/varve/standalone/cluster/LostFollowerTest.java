package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.kafka.KafkaLogConfig;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;

/**
 * The copies of a follower lose their folders while its log has been truncated, so that only its
 * leader has the content: an index of the same cluster, which follows itself. The follower copies
 * its leader again by itself; while it can't, it is red and says why.
 */
@Tag("system")
@ExtendWith(ServicesInOneJvm.Shared.class)
class LostFollowerTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);
  private static final int DOCUMENTS = 1_500;

  private ServicesInOneJvm cluster;
  private RestCalls rest;
  private TestIndex leader;
  private TestIndex follower;
  private String uuid;

  @BeforeEach
  void follow(ServicesInOneJvm shared) throws Exception {
    cluster = shared;
    rest = cluster.rest();
    cluster.start(ServicesInOneJvm.PULLER);
    leader = cluster.create("origin", "{\"number_of_replicas\":0,\"remote_store.enabled\":false}");
    leader.index(0, DOCUMENTS);
    leader.refresh();
    remote("\"127.0.0.1:" + cluster.port("coordinator") + "\"");
    rest.call(
            "PUT",
            "/copy/_ccr/follow?wait_for_active_shards=1",
            """
            {"remote_cluster":"itself","leader_index":"origin","settings":{
              "index.number_of_replicas":0,"index.refresh_interval":"200ms",
              "index.remote_store.enabled":false,"index.log.retention":"auto",
              "index.log.retention.min_copies":1,"index.log.retention.grace":"0s",
              "index.unassigned.node_left.delayed_timeout":"0s"}}\
            """)
        .orThrow();
    follower = new TestIndex(rest, "copy");
    uuid = uuidNow();
    TruncatedLog.await(
        KafkaLogConfig.of(cluster.bootstrapServers(), "test"), follower, 1, DOCUMENTS);
  }

  @AfterEach
  void end() throws Exception {
    remote("");
    cluster.stop(ServicesInOneJvm.PULLER);
  }

  /** A successor has another uuid. */
  private String uuidNow() throws IOException {
    return new TestIndex(rest, "copy").uuid();
  }

  private void remote(String seeds) throws IOException {
    rest.call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"cluster.remote.itself.seeds\":[" + seeds + "]}}")
        .orThrow();
  }

  private void loseFolderOfThePrimary() throws Exception {
    String node = follower.nodeOfPrimary();
    Path folder = cluster.segmentFolder(node, follower).getParent();
    cluster.restart(node, () -> FileSystemUtils.deleteRecursively(folder));
  }

  private JsonNode shardOfStats() throws IOException {
    return rest.get("/copy/_ccr/stats").orThrow().json().at("/indices/0/shards/0");
  }

  private JsonNode explained() throws IOException {
    return rest.call(
            "POST",
            "/_cluster/allocation/explain",
            "{\"index\":\"copy\",\"shard\":0,\"primary\":true}")
        .orThrow()
        .json();
  }

  private void awaitCopiedAgain() {
    Await.within(WITHIN)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> {
          assertThat(uuidNow()).isNotEqualTo(uuid);
          follower.refresh();
          assertThat(follower.contents("_primary")).isEqualTo(leader.contents("_primary"));
        });
  }

  /** The replica is assigned, and waits for files that only the primary had. */
  @Test
  void aLostPrimaryIsCopiedAgainThoughAReplicaIsOnItsWay() throws Exception {
    cluster.gate().close(follower);
    rest.call("PUT", "/copy/_settings", "{\"index.number_of_replicas\":1}").orThrow();
    Await.within(WITHIN)
        .until(() -> follower.copies("shard").toString().contains("\"INITIALIZING\""));

    loseFolderOfThePrimary();
    cluster.gate().openForAll();

    awaitCopiedAgain();
    follower.awaitGreen();
    assertThat(shardOfStats().path("rebootstraps_total").asInt()).isEqualTo(1);
  }

  /** It starts with what it holds, is promoted, and replays what the lost primary published. */
  @Test
  void aReplicaThatLacksTheNewestManifestContinues() throws Exception {
    rest.call(
            "PUT",
            "/copy/_settings",
            "{\"index.number_of_replicas\":1,\"index.log.retention.grace\":\"30m\"}")
        .orThrow();
    follower.awaitGreen();
    cluster.gate().close(follower);
    leader.index(DOCUMENTS, DOCUMENTS + 100);
    leader.refresh();
    follower.awaitCount("_primary", DOCUMENTS + 100);
    cluster.restart(follower.nodesOf("r").getFirst());
    Await.within(WITHIN)
        .until(() -> follower.copies("shard").toString().contains("\"INITIALIZING\""));

    loseFolderOfThePrimary();
    cluster.gate().openForAll();

    follower.awaitGreen();
    follower.refresh();
    assertThat(follower.contents("_primary")).isEqualTo(leader.contents("_primary"));
    assertThat(uuidNow()).isEqualTo(uuid);
  }

  @Test
  void aNodeThatIsReplacedByAnEmptyOneIsNotWaitedForWithoutEnd() throws Exception {
    String node = follower.nodeOfPrimary();
    Path data = cluster.segmentFolder(node, follower).resolve("../../../..").normalize();
    cluster.stop(node);
    FileSystemUtils.deleteRecursively(data);
    cluster.start(node);

    awaitCopiedAgain();
    follower.awaitGreen();
  }

  @Test
  void aPausedFollowerSaysWhatIsLostAndIsCopiedAgainOnceItIsResumed() throws Exception {
    rest.call("POST", "/copy/_ccr/pause_follow", "").orThrow();

    loseFolderOfThePrimary();

    Await.within(WITHIN)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() ->
            assertThat(explained().at("/unassigned_info/details").asString())
                .contains("copied again once the follower is resumed"));
    follower.awaitHealth("red");
    assertThat(uuidNow()).isEqualTo(uuid);

    rest.call("POST", "/copy/_ccr/resume_follow", "{}").orThrow();

    awaitCopiedAgain();
  }

  @Test
  void aFollowerWhoseLeaderIsAwayIsRedUntilTheLeaderIsBack() throws Exception {
    remote("\"127.0.0.1:1\"");

    loseFolderOfThePrimary();

    Await.within(WITHIN)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> {
          JsonNode shard = shardOfStats();
          assertThat(shard.path("last_error").asString())
              .contains("primary is not started", "no copy has its content");
          assertThat(shard.at("/replacement/last_error").asString()).isNotEmpty();
          assertThat(explained().at("/unassigned_info/details").asString())
              .contains("no copy has its content");
        });
    follower.awaitHealth("red");
    assertThat(uuidNow()).isEqualTo(uuid);

    remote("\"127.0.0.1:" + cluster.port("coordinator") + "\"");

    awaitCopiedAgain();
    follower.awaitGreen();
  }

  @Test
  void aFollowerOfADeletedLeaderSaysSoAndIsRead() throws Exception {
    leader.call("DELETE", "", "").orThrow();

    Await.within(WITHIN)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() ->
            assertThat(shardOfStats().at("/fatal_exception/type").asString())
                .isEqualTo("index_not_found_exception"));
    follower.awaitHealth("green");
    follower.refresh();
    assertThat(follower.count("_primary")).isEqualTo(DOCUMENTS);
    assertThat(uuidNow()).isEqualTo(uuid);
  }
}
