package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.kafka.KafkaLogConfig;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * A leader index whose log has lost its beginning is followed by another cluster, which copies its
 * segments first.
 */
@Tag("system")
@ExtendWith({ServicesInOneJvm.Shared.class, RunningCluster.Shared.class})
class FollowerBootstrapTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);
  private static final int SHARDS = 2;

  private static final String SETTINGS =
      "{\"number_of_shards\":"
          + SHARDS
          + ",\"number_of_replicas\":0,\"refresh_interval\":\"200ms\","
          + "\"remote_store.enabled\":false,"
          + "\"log.retention\":\"auto\",\"log.retention.min_copies\":1,"
          + "\"log.retention.grace\":\"0s\"}";

  @ParameterizedTest
  @ValueSource(strings = {"SEGMENT", "DOCUMENT"})
  void aLeaderWhoseLogIsTruncatedIsFollowedFromItsSegmentsOn(
      String replication, ServicesInOneJvm leading, RunningCluster following) throws Exception {
    TestIndex leader = leading.create("archive", SETTINGS);
    leader.index(0, 2_000);
    leader.delete(0, 30);
    TruncatedLog.await(KafkaLogConfig.of(leading.bootstrapServers(), "test"), leader, SHARDS, 100);
    leader.index(1_990, 2_100);

    follow(following.rest(), "127.0.0.1:" + leading.port("coordinator"), replication);

    leader.index(2_100, 2_200);
    leader.refresh();
    Map<Integer, SortedMap<String, String>> expected =
        contents(leading.rest(), "archive", "_primary");
    assertThat(expected.values().stream().mapToInt(Map::size).sum()).isEqualTo(2_170);
    for (String copy : new String[] {"_primary", "_replica"}) {
      Await.within(WITHIN)
          .pollInterval(Duration.ofMillis(200))
          .untilAsserted(() -> {
            following.rest().call("POST", "/archive/_refresh", "").orThrow();
            assertThat(contents(following.rest(), "archive", copy)).isEqualTo(expected);
          });
    }
    following.awaitGreen();
  }

  @Test
  void aFollowerWhoseLeaderTruncatedItsLogServesWhatItHasAndBeginsAnewByItself(
      ServicesInOneJvm leading, RunningCluster following) throws Exception {
    TestIndex leader = leading.create("archive", SETTINGS);
    leader.index(0, 1_000);
    RestCalls follower = following.rest();
    follow(follower, "127.0.0.1:" + leading.port("coordinator"), "SEGMENT");
    follower.call("PUT", "/archive/_settings", "{\"index.max_result_window\":20000}").orThrow();
    TestIndex copy = new TestIndex(follower, "archive");
    awaitSame(leading.rest(), follower, "_primary");
    String former = uuid(follower);
    follower.call("POST", "/archive/_ccr/pause_follow", "").orThrow();
    leader.index(900, 1_200);
    leader.delete(0, 50);
    loseLog(leading, leader);
    leader.index(1_200, 1_300);
    leader.refresh();

    AtomicBoolean ended = new AtomicBoolean();
    CompletableFuture<Integer> reads =
        CompletableFuture.supplyAsync(() -> readUntil(ended, follower));
    follower.call("POST", "/archive/_ccr/resume_follow", "{}").orThrow();

    awaitSame(leading.rest(), follower, "_primary");
    awaitSame(leading.rest(), follower, "_replica");
    ended.set(true);
    assertThat(reads.get(5, TimeUnit.MINUTES)).as("reads, each of them answered").isPositive();
    assertThat(uuid(follower)).isNotEqualTo(former);
    assertThat(
            follower
                .get("/archive/_settings?flat_settings")
                .orThrow()
                .json()
                .path("archive")
                .path("settings")
                .path("index.max_result_window")
                .asString())
        .isEqualTo("20000");
    leader.index(1_300, 1_310);
    awaitSame(leading.rest(), follower, "_primary");
    assertThat(copy.count("_primary")).isEqualTo(1_260);
    following.awaitGreen();
  }

  /** Counts the answers; each has at least what the follower held before, and no failed shard. */
  private static int readUntil(AtomicBoolean ended, RestCalls follower) {
    int answered = 0;
    try {
      while (!ended.get()) {
        JsonNode answer = follower.get("/archive/_count").orThrow().json();
        assertThat(answer.at("/_shards/failed").asInt()).isZero();
        assertThat(answer.path("count").asInt()).isGreaterThanOrEqualTo(1_000);
        answered++;
      }
      return answered;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String uuid(RestCalls rest) throws IOException {
    return new TestIndex(rest, "archive").uuid();
  }

  private static void awaitSame(RestCalls leader, RestCalls follower, String copy) {
    Await.within(WITHIN)
        .pollInterval(Duration.ofMillis(200))
        .untilAsserted(() -> {
          leader.call("POST", "/archive/_refresh", "").orThrow();
          follower.call("POST", "/archive/_refresh", "").orThrow();
          assertThat(contents(follower, "archive", copy))
              .isEqualTo(contents(leader, "archive", "_primary"));
        });
  }

  /** As if the lease had ended: the leader's log loses everything that its manifests have. */
  private static void loseLog(ServicesInOneJvm leading, TestIndex index) throws Exception {
    index.call("POST", "/_flush", "").orThrow();
    index.refresh();
    Properties properties = new Properties();
    properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, leading.bootstrapServers());
    try (Admin admin = Admin.create(properties)) {
      for (int shard = 0; shard < SHARDS; shard++) {
        TopicPartition partition = new TopicPartition("varve.varve.ops." + index.uuid(), shard);
        admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(-1))).all().get();
      }
    }
  }

  private static Map<Integer, SortedMap<String, String>> contents(
      RestCalls rest, String index, String copy) throws Exception {
    Map<Integer, SortedMap<String, String>> shards = new TreeMap<>();
    for (int shard = 0; shard < SHARDS; shard++) {
      shards.put(shard, CopyContents.read(rest, index, shard, copy));
    }
    return shards;
  }

  private static void follow(RestCalls follower, String seed, String replication)
      throws IOException {
    follower
        .call(
            "PUT",
            "/_cluster/settings",
            "{\"persistent\":{\"cluster.remote.main.seeds\":[\"" + seed + "\"]}}")
        .orThrow();
    follower
        .call(
            "PUT",
            "/archive/_ccr/follow",
            "{\"remote_cluster\":\"main\",\"leader_index\":\"archive\",\"settings\":"
                + "{\"index.number_of_replicas\":1,\"index.replication.type\":\""
                + replication
                + "\"}}")
        .orThrow();
  }
}
