package io.varve.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.kafka.FreePorts;
import io.varve.standalone.cluster.Child;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * Runs the standalone as a process: it recovers every acked write after SIGKILL, exits in time on
 * SIGTERM, and is not blocked by clients that send incomplete requests.
 */
@Tag("system")
class StandaloneProcessTest {

  private static final Duration READY_WITHIN = Duration.ofMinutes(5);
  private static final int WRITTEN = 1_000;

  @TempDir Path folder;

  @Test
  void survivesBeingKilledWithEveryAckedWriteAndEndsCleanlyOnRequest() throws Exception {
    int port = FreePorts.next();
    Process process = launch(port);
    try (RestCalls rest = new RestCalls("http://127.0.0.1:" + port)) {
      DerivedSourceCalls derived = new DerivedSourceCalls(rest);
      assertReady(process, port);
      assertFewThreads(rest);
      derived.create();
      assertAnswersWhileRequestsAreHalfSent(rest, port);
      write(rest, WRITTEN);
      derived.write(0, WRITTEN);
      process.destroyForcibly().waitFor();
      process = launch(port);
      assertReady(process, port);
      assertEachCopyHolds(rest, WRITTEN);
      assertThat(rest.get("/notes/_doc/499").orThrow().json().path("_source").path("n").asInt())
          .isEqualTo(499);
      derived.areSeenAsTheyWereSent(WRITTEN);
      derived.areWrittenAgainAsTheyWereSent();
      derived.isDecidedOnceAndForAll();
      process.destroy();
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).as("ends on SIGTERM").isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Pools of all services and of the broker: each of them is small until it has work. */
  private static void assertFewThreads(RestCalls rest) throws IOException {
    int processors = Runtime.getRuntime().availableProcessors();
    JsonNode nodes = rest.get("/_nodes/stats/jvm").orThrow().json().path("nodes");
    assertThat(nodes).hasSize(Standalone.NODES);
    assertThat(nodes)
        .allSatisfy(node ->
            assertThat(node.at("/jvm/threads/count").asInt()).isBetween(1, 86 + 6 * processors));
  }

  private static void assertAnswersWhileRequestsAreHalfSent(RestCalls rest, int port)
      throws IOException {
    try (HalfSentRequests half = new HalfSentRequests(port, "/x/_search")) {
      half.awaitHeld();
      assertThat(rest.get("/_cluster/health").orThrow().status()).isEqualTo(200);
    }
  }

  private static void assertEachCopyHolds(RestCalls rest, int expected) throws IOException {
    assertThat(
            rest.call("POST", "/notes/_refresh", "").orThrow().json().at("/_shards/failed").asInt())
        .isZero();
    for (String copy : List.of("_primary", "_replica")) {
      RestCalls.Answer answer = rest.get("/notes/_count?preference=" + copy).orThrow();
      assertThat(answer.json().path("count").asInt()).as(copy).isEqualTo(expected);
    }
  }

  private Process launch(int port) throws IOException {
    List<String> command = ChildJvm.command(Child.class.getName());
    command.add(Standalone.class.getName());
    command.addAll(
        List.of("--data", folder.resolve("data").toString(), "--port", Integer.toString(port)));
    // Exceeds any delay of heartbeats on a slow machine.
    command.addAll(List.of("--varve.node.timeout-millis", "60000"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("standalone.log").toFile()))
        .start();
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("standalone.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private void assertReady(Process process, int port) throws InterruptedException {
    assertThat(
            Readiness.awaitGreen(
                "http://127.0.0.1:" + port, Standalone.NODES, READY_WITHIN, process::isAlive))
        .as(() -> "ready; its log:\n" + log())
        .isTrue();
  }

  private static void write(RestCalls rest, int count) throws IOException {
    StringBuilder body = new StringBuilder();
    for (int n = 0; n < count; n++) {
      body.append("{\"index\":{\"_id\":\"")
          .append(n)
          .append("\"}}\n{\"n\":")
          .append(n)
          .append("}\n");
    }
    RestCalls.Answer answer =
        rest.call("POST", "/notes/_bulk", "application/x-ndjson", body.toString().getBytes(UTF_8))
            .orThrow();
    assertThat(answer.json().path("errors").asBoolean(true)).isFalse();
  }
}
