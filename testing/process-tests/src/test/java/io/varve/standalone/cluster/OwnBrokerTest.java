package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.kafka.FreePorts;
import io.varve.standalone.ChildJvm;
import io.varve.standalone.RestCalls;
import io.varve.standalone.SecurityFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A cluster on a broker that Varve did not set up: its properties are those of the page for
 * administrators, and its permissions are those that {@code ./varve security acls} prints.
 * Processes write, replicate and search with them.
 */
@Tag("system")
@Timeout(1800)
class OwnBrokerTest {

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @TempDir Path data;

  private final List<Process> processes = new ArrayList<>();

  @AfterEach
  void stop() throws InterruptedException {
    for (Process process : processes.reversed()) {
      process.destroy();
    }
    for (Process process : processes) {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        process.destroyForcibly();
      }
    }
  }

  @Test
  void thePrintedPermissionsSufficeToWriteReplicateAndSearch() throws Exception {
    SecurityFolder security = new SecurityFolder(data);
    Path certificates = security.broker("kafka-1", data.resolve("kafka-1"), List.of());
    try (OwnBroker broker = OwnBroker.start(data.resolve("kafka-1"), certificates, "varve")) {
      broker.permit(
          OwnBroker.run(
              data,
              "io.varve.standalone.security.SecurityTool",
              "--folder",
              data.resolve("security").toString(),
              "acls",
              "--bootstrap-server",
              broker.address()));
      int port = start(broker, ProcessPlan.Role.COORDINATOR);
      start(broker, ProcessPlan.Role.SHARD_SERVICE);
      start(broker, ProcessPlan.Role.REPLICATION_SERVICE);
      try (RestCalls rest =
          new RestCalls("https://127.0.0.1:" + port, PATIENCE, security.access())) {
        Awaitility.await().atMost(PATIENCE).until(() -> nodes(rest) == 3);
        writesAndSearches(rest);
      }
    }
  }

  private int start(OwnBroker broker, ProcessPlan.Role role) throws IOException {
    String name = role.nameOf(1);
    int port = FreePorts.next();
    int internalPort = FreePorts.next();
    List<String> command = ChildJvm.command(role.mainClass, "-Xmx256m");
    command.addAll(
        List.of(
            "--varve.kafka.bootstrap-servers=" + broker.address(),
            "--varve.kafka.replication-factor=1",
            "--varve.node.timeout-millis=60000",
            "--varve.leader.timeout-millis=60000",
            "--varve.data=" + data.resolve(name),
            "--varve.node-name=" + name,
            "--varve.publish-address=127.0.0.1:" + internalPort,
            "--server.port=" + port));
    command.addAll(
        new SecurityFolder(data)
            .arguments(
                new SecurityFolder.Member(name, role.service(), data.resolve(name), internalPort),
                List.of()));
    processes.add(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(data.resolve(name + ".log").toFile())
            .start());
    return port;
  }

  private int nodes(RestCalls rest) {
    assertThat(processes).allMatch(Process::isAlive);
    try {
      RestCalls.Answer answer = rest.get("/_cat/nodes?h=name");
      return answer.status() == 200 ? (int) answer.text().lines().count() : 0;
    } catch (IOException e) {
      return 0;
    }
  }

  private static void writesAndSearches(RestCalls rest) throws IOException {
    rest.call("PUT", "/books", "{\"settings\":{\"index.number_of_replicas\":1}}").orThrow();
    rest.get("/_cluster/health/books?wait_for_status=green&timeout=5m").orThrow();
    rest.call("PUT", "/books/_doc/1?refresh=wait_for", "{\"title\":\"on layers of clay\"}")
        .orThrow();
    for (String copy : List.of("_primary", "_replica")) {
      assertThat(
              rest.get("/books/_search?q=title:clay&preference=" + copy)
                  .orThrow()
                  .json()
                  .at("/hits/total/value")
                  .asInt())
          .as(copy)
          .isEqualTo(1);
    }
    rest.call("DELETE", "/books", "").orThrow();
  }
}
