package io.varve.standalone.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.kafka.FreePorts;
import io.varve.standalone.FakeVarve;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command against a server whose pages contain secrets, and a data folder with more. */
@Timeout(120)
class BundleTest {

  private static final String CANARY = "canary-7d1f";

  @TempDir private Path folder;
  private FakeVarve varve;

  @BeforeEach
  void start() throws IOException {
    varve =
        new FakeVarve()
            .on("/_cluster/health", "{\"status\":\"green\"}")
            .on(
                "/_cluster/settings",
                "{\"defaults\":{\"s3.secret-key\":\""
                    + CANARY
                    + "\",\"search.max_buckets\":\"9\"}}")
            .on("/_nodes", "{\"jvm\":{\"input_arguments\":[\"-Da.password=" + CANARY + "\"]}}")
            .on("/_prometheus/metrics/c/1", "varve_http_connections 3\n");
    varve.on(
        "/_prometheus/targets",
        "[{\"targets\":[\"" + varve.address() + "\"],\"labels\":{\"node\":\"c/1\"}}]");
    write("logs/shard-service-1.log", "WARN token=" + CANARY + "\nINFO begins\n");
    write("follower/logs/broker-1.log", "INFO follower\n");
    write("security/admin.password", CANARY + "-admin\n");
    write("logs/coordinator-1.log", "INFO the password is " + CANARY + "-admin, of admin\n");
    // Segments of the broker's log have documents.
    write("broker-1/topic-0/00000000000000000000.log", CANARY);
    write("logs/heap.hprof", CANARY);
  }

  @AfterEach
  void stop() {
    varve.close();
  }

  private void write(String file, String text) throws IOException {
    Path path = folder.resolve("data").resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private int run(int port, String... more) {
    String[] arguments =
        Stream.concat(
                Stream.of(
                    "--port",
                    Integer.toString(port),
                    "--data",
                    folder.resolve("data").toString(),
                    "--out",
                    folder.resolve("out.zip").toString()),
                Arrays.stream(more))
            .toArray(String[]::new);
    return Bundle.commandLine(arguments).execute(arguments);
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> files = new LinkedHashMap<>();
    try (ZipInputStream zip =
        new ZipInputStream(Files.newInputStream(folder.resolve("out.zip")), UTF_8)) {
      ZipEntry entry;
      while ((entry = zip.getNextEntry()) != null) {
        files.put(entry.getName(), new String(zip.readAllBytes(), UTF_8));
      }
    }
    return files;
  }

  @Test
  void itHasTheStateAndTheLogsAndNoSecret() throws IOException {
    assertThat(run(varve.port())).isZero();

    Map<String, String> files = files();
    assertThat(files)
        .containsKeys(
            "about.txt",
            "version.json",
            "health.json",
            "nodes.json",
            "nodes-stats.json",
            "cluster-settings.json",
            "allocation.txt",
            "tasks.json",
            "metrics/c_1.txt",
            "logs/data/logs/shard-service-1.log",
            "logs/data/logs/coordinator-1.log",
            "logs/data/follower/logs/broker-1.log");
    assertThat(files.keySet())
        .noneMatch(name -> name.contains("broker-1/") || name.contains("hprof"));
    assertThat(files.values()).noneMatch(text -> text.contains("canary"));
    assertThat(files.get("metrics/c_1.txt")).isEqualTo("varve_http_connections 3\n");
    assertThat(files.get("cluster-settings.json")).contains("\"search.max_buckets\":\"9\"");
    assertThat(files.get("nodes-stats.json")).startsWith("GET /_nodes/stats?pretty: status 404");
    assertThat(files.get("logs/data/logs/shard-service-1.log")).contains("INFO begins");
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("out.zip"))))
        .isEqualTo("rw-------");
  }

  @Test
  void thePasswordThatWasUsedIsNotInIt() throws IOException {
    Path password = Files.writeString(folder.resolve("password"), CANARY + "-eve\n");
    varve.requires(RestCalls.basic("eve", CANARY + "-eve"));
    varve.on("/_tasks", "{\"user\":\"eve " + CANARY + "-eve\"}");

    assertThat(run(varve.port(), "--user", "eve", "--password-file", password.toString())).isZero();

    assertThat(files().values()).noneMatch(text -> text.contains("canary"));
    assertThat(files().get("health.json")).isEqualTo("{\"status\":\"green\"}");
  }

  @Test
  void itHasTheLogsIfNoVarveAnswers() throws IOException {
    assertThat(run(FreePorts.next())).isZero();

    assertThat(files())
        .containsKey("logs/data/logs/coordinator-1.log")
        .doesNotContainKey("health.json");
  }

  @Test
  void anExistingFileIsNotOverwritten() throws IOException {
    Files.writeString(folder.resolve("out.zip"), "mine");

    assertThat(run(varve.port())).isOne();

    assertThat(folder.resolve("out.zip")).hasContent("mine");
  }

  @Test
  void onlyTheEndOfALongLogIsRead() throws IOException {
    write("logs/coordinator-1.log", "first line\n" + "x".repeat(1 << 20) + "\nlast line\n");

    assertThat(run(varve.port())).isZero();

    assertThat(files().get("logs/data/logs/coordinator-1.log")).isEqualTo("last line\n");
  }
}
