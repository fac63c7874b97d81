package io.varve.standalone.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.standalone.RestCalls;
import io.varve.standalone.link.Link;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * {@code varve cluster --follower --link}: a follower reads everything across the link, and
 * continues after the link was cut.
 */
@Tag("system")
@Tag("nightly")
class FollowerBehindALinkTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);
  private static final int DOCUMENTS = 2_000;

  @TempDir private static Path data;
  private static RunningCluster clusters;
  private static RestCalls follower;

  @BeforeAll
  static void start() throws Exception {
    clusters =
        RunningCluster.start(
            data,
            "--follower",
            "--link",
            "delay=40ms,rate=100mbit,loss=0.1%",
            "--shard-services",
            "1",
            "--replication-services",
            "0",
            "--heap",
            "256m");
    follower = new RestCalls(clusters.followerUrl());
  }

  @AfterAll
  static void stop() throws Exception {
    follower.close();
    clusters.close();
  }

  @Test
  void theFollowerReadsEverythingAcrossTheLinkAndGoesOnAfterItWasCut() throws Exception {
    create("books");
    FollowerLinks network = clusters.networkOfFollower();
    write("books", 0);
    follow("books");
    awaitDocuments("books", DOCUMENTS);
    Link.Traffic broker = network.traffic("broker-1");
    assertThat(broker.bytesToCallers()).isGreaterThan(DOCUMENTS * 10L);
    assertThat(network.traffic("coordinator-1").connections()).isPositive();

    network.cut(true);
    write("books", DOCUMENTS);
    network.cut(false);

    awaitDocuments("books", 2 * DOCUMENTS);
    Await.within(WITHIN)
        .untilAsserted(() -> {
          JsonNode shard = follower.get("/books/_ccr/stats").orThrow().json();
          JsonNode stats = shard.path("indices").path(0).path("shards").path(0);
          assertThat(stats.path("follower_global_checkpoint").asLong())
              .isEqualTo(2L * DOCUMENTS - 1);
          assertThat(stats.path("lag_millis").asLong()).isLessThan(10_000);
        });
  }

  @Test
  void bothClustersAndTheTrafficOfTheLinksAreInTheDataFolder() throws Exception {
    JsonNode rows = Json.mapper().readTree(data.resolve("cluster.json").toFile());
    assertThat(rows.path("processes"))
        .extracting(row -> row.path("cluster").asString() + " " + row.path("name").asString())
        .containsExactly(
            "leader broker-1",
            "leader coordinator-1",
            "leader shard-service-1",
            "leader ccr-follower-1",
            "follower broker-1",
            "follower coordinator-1",
            "follower shard-service-1",
            "follower ccr-follower-1");
    JsonNode links =
        Await.within(WITHIN)
            .until(
                () -> Json.mapper().readTree(data.resolve("links.json").toFile()).path("links"),
                written -> written.size() == 2);
    assertThat(links)
        .extracting(link -> link.path("process").asString())
        .containsExactly("broker-1", "coordinator-1");
    JsonNode settings = follower.get("/_cluster/settings?flat_settings=true").orThrow().json();
    assertThat(settings.path("persistent").path("cluster.remote.leader.seeds").asString())
        .isEqualTo("127.0.0.1:" + links.path(1).path("port").asInt());
  }

  private static void create(String index) throws IOException {
    clusters
        .rest()
        .call(
            "PUT", "/" + index, "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":0}}")
        .orThrow();
  }

  private static void follow(String index) throws IOException {
    follower
        .call(
            "PUT",
            "/" + index + "/_ccr/follow?wait_for_active_shards=1",
            "{\"remote_cluster\":\"leader\",\"leader_index\":\"%s\"}".formatted(index))
        .orThrow();
  }

  private static void write(String index, int first) throws IOException {
    StringBuilder body = new StringBuilder();
    for (int i = first; i < first + DOCUMENTS; i++) {
      body.append("{\"index\":{\"_id\":\"").append(i).append("\"}}\n{\"n\":").append(i);
      body.append("}\n");
    }
    JsonNode answer =
        clusters
            .rest()
            .call(
                "POST",
                "/" + index + "/_bulk",
                "application/x-ndjson",
                body.toString().getBytes(UTF_8))
            .orThrow()
            .json();
    assertThat(answer.path("errors").asBoolean(true)).isFalse();
  }

  private static void awaitDocuments(String index, int count) throws IOException {
    Await.within(WITHIN)
        .untilAsserted(() -> {
          follower.call("POST", "/" + index + "/_refresh", "").orThrow();
          assertThat(follower.get("/" + index + "/_count").orThrow().json().path("count").asInt())
              .isEqualTo(count);
        });
  }
}
