package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.dockerjava.api.command.InspectContainerResponse;
import com.github.dockerjava.api.model.HostConfig;
import io.varve.standalone.RestCalls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;
import tools.jackson.databind.JsonNode;

/**
 * The whole stack of docker-compose.yml: it becomes healthy with read-only containers, indexes and
 * answers, keeps its segments in the S3 server, survives the loss of a primary, is followed by the
 * second cluster, is measured by Prometheus, and stops in time. The tests share one stack, which
 * the last of them stops.
 */
@Tag("docker")
@EnabledIfDockerAvailable
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ComposeStackTest {

  private static final Duration HEALTHY_WITHIN = Duration.ofMinutes(6);

  /** How a JVM ends that SIGTERM has ended; SIGKILL would be 137. */
  private static final long ENDED_BY_SIGTERM = 143;

  private static final String REPLICATED =
      "{\"settings\":{\"number_of_shards\":2,\"number_of_replicas\":1},"
          + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"integer\"}}}}";

  @TempDir private static Path folder;
  private static ComposeStack stack;
  private static TestIndex index;

  @BeforeAll
  static void start() throws Exception {
    stack = new ComposeStack(folder);
    for (String name : stack.names()) {
      Await.within(HEALTHY_WITHIN).until(() -> stack.isHealthy(name));
    }
    index = new TestIndex(stack.rest("coordinator-1"), "numbers");
    index.call("PUT", "", REPLICATED).orThrow();
    index.index(0, 500);
    index.awaitGreen();
  }

  @AfterAll
  static void end() {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  @Order(1)
  void processesRunConfinedAndAsAUserOfTheirOwn() throws Exception {
    for (String process : stack.processes()) {
      InspectContainerResponse container = stack.inspect(process);
      HostConfig limits = container.getHostConfig();
      assertThat(limits.getReadonlyRootfs()).as(process).isTrue();
      assertThat(limits.getCapDrop()).as(process).hasSize(1);
      assertThat(limits.getMemory()).as(process).isPositive();
      assertThat(container.getConfig().getUser()).isEqualTo("varve");
      assertThat(container.getRestartCount()).as("restarts of %s", process).isZero();
      assertThat(stack.run(process, "sed", "-n", "s/^CapEff:\\s*//p", "/proc/1/status").strip())
          .as("capabilities of %s", process)
          .isEqualTo("0000000000000000");
    }
  }

  @Test
  @Order(2)
  void everyProcessUsesTheRecordedStart() throws Exception {
    for (String process : stack.processes()) {
      assertThat(stack.run(process, "grep", "-c", "varve.aot", "/proc/1/maps").strip())
          .as(process)
          .isNotEqualTo("0");
    }
  }

  @Test
  @Order(3)
  void documentsAreFoundThroughEachCoordinator() throws Exception {
    index.refresh();
    for (String coordinator : List.of("coordinator-1", "coordinator-2")) {
      JsonNode hits =
          stack
              .rest(coordinator)
              .call(
                  "POST",
                  "/numbers/_search",
                  "{\"query\":{\"range\":{\"n\":{\"gte\":100,\"lt\":110}}}}")
              .orThrow()
              .json();
      assertThat(hits.at("/hits/total/value").asInt()).as(coordinator).isEqualTo(10);
    }
  }

  @Test
  @Order(4)
  void segmentsAndManifestsAreInTheStore() {
    for (String kind : List.of("segments", "manifests")) {
      Await.within(TestIndex.SOON)
          .until(() ->
              stack
                  .run("s3", "find", "/data/varve", "-type", "f")
                  .contains("/" + kind + "/" + index.uuid() + "/"));
    }
  }

  @Test
  @Order(5)
  void prometheusMeasuresEveryProcessOfBothClusters() {
    Assumptions.assumeTrue(stack.has("prometheus"), "without Prometheus");
    Await.within(TestIndex.SOON)
        .untilAsserted(() -> {
          JsonNode targets =
              stack.rest("prometheus").get("/api/v1/targets?state=active").orThrow().json();
          assertThat(texts(targets.at("/data/activeTargets"), "health"))
              .hasSize(stack.processes().size())
              .containsOnly("up");
        });
  }

  @Test
  @Order(6)
  void theSecondClusterFollowsTheFirst() throws Exception {
    RestCalls follower = stack.rest("follower-coordinator-1");
    follower
        .call(
            "PUT",
            "/numbers/_ccr/follow",
            "{\"remote_cluster\":\"leader\",\"leader_index\":\"numbers\"}")
        .orThrow();

    new TestIndex(follower, "numbers").awaitCount("_primary", 500);
  }

  @Test
  @Order(7)
  void aReplicaTakesOverFromAPrimaryWhoseContainerIsKilled() throws Exception {
    List<String> before = index.nodesOf("p");
    String killed = before.getFirst();
    stack.kill(killed);
    Await.within(TestIndex.SOON)
        .until(() -> {
          List<String> primaries = index.nodesOf("p");
          return primaries.size() == before.size() && !primaries.contains(killed);
        });

    index.index(500, 600);
    stack.start(killed);
    index.awaitGreen();
    index.refresh();
    index.awaitCount("_primary", 600);
  }

  @Test
  @Order(8)
  void aProcessStopsWithinItsGracePeriodAndEndsItself() {
    CompletableFuture<?>[] stops =
        stack.processes().stream()
            .map(process -> CompletableFuture.runAsync(() -> stack.stop(process)))
            .toArray(CompletableFuture<?>[]::new);
    CompletableFuture.allOf(stops).join();

    for (String process : stack.processes()) {
      InspectContainerResponse.ContainerState state = stack.inspect(process).getState();
      assertThat(state.getOOMKilled()).as(process).isFalse();
      assertThat(state.getExitCodeLong()).as(process).isEqualTo(ENDED_BY_SIGTERM);
    }
  }

  private static List<String> texts(JsonNode rows, String field) {
    Stream<JsonNode> all = StreamSupport.stream(rows.spliterator(), false);
    return all.map(row -> row.path(field).asString("")).toList();
  }
}
