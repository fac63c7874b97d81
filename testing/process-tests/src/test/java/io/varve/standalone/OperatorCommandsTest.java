package io.varve.standalone;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.kafka.FreePorts;
import io.varve.standalone.bundle.Bundle;
import io.varve.standalone.cluster.Child;
import io.varve.standalone.load.Load;
import io.varve.standalone.status.Status;
import io.varve.tls.CertificateFolder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/**
 * {@code status}, {@code load} and {@code bundle} against a secured {@code up} with JSON logs: they
 * see its search node, account for each document, and take no secret away.
 */
@Tag("system")
class OperatorCommandsTest {

  private static final Duration WITHIN = Duration.ofMinutes(5);
  private static final String CANARY = "canary-of-the-store";

  @TempDir private Path folder;

  private final int port;

  OperatorCommandsTest() throws IOException {
    port = FreePorts.next();
  }

  private SecurityFolder security() {
    return new SecurityFolder(folder.resolve("data"));
  }

  private Process launch() throws IOException {
    Path secrets = Files.createDirectory(folder.resolve("secrets"));
    Files.writeString(secrets.resolve("varve.store.s3.secret-key"), CANARY);
    List<String> command = new ArrayList<>(ChildJvm.command(Child.class.getName()));
    command.addAll(
        List.of(
            Standalone.class.getName(),
            "--data",
            folder.resolve("data").toString(),
            "--port",
            Integer.toString(port),
            "--log-format",
            "json",
            "--secrets",
            secrets.toString(),
            "--search-node",
            "--secured",
            // Exceeds any delay of heartbeats on a slow machine.
            "--varve.node.timeout-millis",
            "60000"));
    return new ProcessBuilder(command)
        .redirectOutput(folder.resolve("out.log").toFile())
        .redirectError(folder.resolve("err.log").toFile())
        .start();
  }

  @Test
  void theyTellLoadAndCollect() throws Exception {
    new CertificateFolder(folder.resolve("data").resolve("security"), InstantSource.system())
        .init("varve");
    Process process = launch();
    try (RestCalls rest = new RestCalls("https://127.0.0.1:" + port, WITHIN, security().access())) {
      assertThat(
              Readiness.awaitUp(
                  "https://127.0.0.1:" + port,
                  Standalone.NODES + 1,
                  WITHIN,
                  process::isAlive,
                  security().access()))
          .as(() -> read("out.log") + read("err.log"))
          .contains("green");
      hasASearchNode(rest);
      loads(rest);
      tells();
      collects();
      process.destroy();
      assertThat(process.waitFor()).isNotNegative();
      logsJson();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static void hasASearchNode(RestCalls rest) throws IOException {
    rest.call(
            "PUT",
            "/books",
            "{\"settings\":{\"number_of_shards\":1,\"number_of_replicas\":1,"
                + "\"number_of_search_replicas\":1},"
                + "\"mappings\":{\"properties\":{\"n\":{\"type\":\"integer\"}}}}")
        .orThrow();
    assertThat(
            rest.get("/_cluster/health/books?wait_for_status=green&timeout=2m")
                .orThrow()
                .json()
                .path("status")
                .asString())
        .isEqualTo("green");
    Map<String, String> roles = new LinkedHashMap<>();
    rest.get("/_cat/nodes?format=json&h=name,node.roles&s=name")
        .orThrow()
        .json()
        .forEach(row -> roles.put(row.path("name").asString(), row.path("node.roles").asString()));
    assertThat(roles.keySet()).containsExactly("ccr", "coordinator", "replica", "search", "shard");
    assertThat(roles.get("search")).isEqualTo("search");
    JsonNode nodes = rest.get("/_nodes/search").orThrow().json().path("nodes");
    assertThat(nodes.size()).isOne();
    assertThat(nodes.iterator().next().at("/attributes/varve_roles").asString())
        .isEqualTo("search");
    List<String> nodesOfCopies = new ArrayList<>();
    rest.get("/_cat/shards/books?format=json&h=node,state")
        .orThrow()
        .json()
        .forEach(row -> nodesOfCopies.add(row.path("node").asString()));
    assertThat(nodesOfCopies).containsExactlyInAnyOrder("shard", "replica", "search");
  }

  private void loads(RestCalls rest) throws IOException {
    StringBuilder lines = new StringBuilder();
    for (int n = 0; n < 2_500; n++) {
      lines.append("{\"n\":").append(n).append("}\n");
    }
    lines.append("{\"n\":\"three\"}\n[4]\n{\"n\":\n");
    Path file = Files.writeString(folder.resolve("books.ndjson"), lines);

    Run run = run(Load::commandLine, file.toString(), "--index", "books", "--connections", "2");

    assertThat(run.exitCode()).isOne();
    assertThat(run.output())
        .contains(
            "100%", "indexed 2,500 documents into books", "3 refused", "line 2501", "line 2502");
    rest.call("POST", "/books/_refresh", "").orThrow();
    for (String node : List.of("shard", "replica", "search")) {
      assertThat(
              rest.get("/books/_count?preference=_only_nodes:" + node)
                  .orThrow()
                  .json()
                  .path("count")
                  .asInt())
          .as(node)
          .isEqualTo(2_500);
    }
  }

  private void tells() {
    Run run = run(Status::commandLine);

    assertThat(run.exitCode()).as(run.output()).isZero();
    assertThat(run.output())
        .startsWith("green  varve: 5 nodes, ")
        .contains("coordinator", "search", "books", "2,500")
        .doesNotContain("Open breakers");
  }

  private void collects() throws IOException {
    Path zip = folder.resolve("bundle.zip");

    Run run =
        run(
            Bundle::commandLine,
            "--out",
            zip.toString(),
            "--data",
            folder.resolve("data").toString());

    assertThat(run.exitCode()).as(run.output()).isZero();
    List<String> secrets =
        List.of(
            CANARY,
            Files.readString(security().adminPasswordFile()).strip(),
            Files.readString(folder.resolve("data/security/cluster.secret")).strip());
    Map<String, String> files = files(zip);
    assertThat(files.get("health.json")).contains("\"green\"");
    assertThat(files.get("nodes.json")).contains("\"search\"");
    assertThat(files.get("cluster-settings.json")).contains("search.max_buckets");
    assertThat(files.get("tasks.json")).contains("nodes");
    files.forEach((name, text) -> {
      for (String secret : secrets) {
        assertThat(text.contains(secret)).as(name).isFalse();
      }
      // Nothing is unassigned, and nodes answer only those that know the secret of the cluster.
      if (!name.equals("allocation-explain.json") && !name.startsWith("metrics/")) {
        assertThat(text).as(name).doesNotContain("GET /_");
      }
    });
  }

  private static Map<String, String> files(Path file) throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(file), UTF_8)) {
      ZipEntry entry;
      while ((entry = zip.getNextEntry()) != null) {
        files.put(entry.getName(), new String(zip.readAllBytes(), UTF_8));
      }
    }
    return files;
  }

  private void logsJson() {
    List<String> lines = read("out.log").lines().toList();
    assertThat(lines).contains("ready https://127.0.0.1:" + port);
    List<JsonNode> events = new ArrayList<>();
    for (String line : lines) {
      if (!line.startsWith("ready ")) {
        assertThat(line).startsWith("{");
        events.add(Json.mapper().readTree(line));
      }
    }
    assertThat(events)
        .isNotEmpty()
        .allSatisfy(event -> {
          assertThat(event.path("message").asString()).isNotEmpty();
          assertThat(event.at("/service/node/name").asString()).isEqualTo("standalone");
        });
  }

  private String read(String file) {
    try {
      return Files.readString(folder.resolve(file));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private record Run(int exitCode, String output) {}

  private interface Command {
    CommandLine line(String... arguments);
  }

  /** Runs a command as the user admin; returns what it printed. */
  private Run run(Command command, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(
        List.of(
            "--port",
            Integer.toString(port),
            "--ca",
            security().trustFile().toString(),
            "--password-file",
            security().adminPasswordFile().toString()));
    String[] array = all.toArray(String[]::new);
    PrintStream out = System.out;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    System.setOut(new PrintStream(bytes, true, UTF_8));
    try {
      return new Run(command.line(array).execute(array), bytes.toString(UTF_8));
    } finally {
      System.setOut(out);
    }
  }
}
