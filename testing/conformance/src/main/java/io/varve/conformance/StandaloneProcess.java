package io.varve.conformance;

import io.varve.kafka.FreePorts;
import io.varve.standalone.ChildJvm;
import io.varve.standalone.Readiness;
import io.varve.standalone.Standalone;
import io.varve.standalone.cluster.Child;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A standalone in a child process, on a free port and with a data folder that {@link #close}
 * deletes. It ends whenever this process ends, for any reason. Its log is kept.
 */
final class StandaloneProcess implements AutoCloseable {

  private static final Duration START_WITHIN = Duration.ofMinutes(10);

  /**
   * Long timeouts, so that a slow machine causes neither departures of nodes nor rejections because
   * of lagging copies.
   */
  private static final String[] PATIENT = {
    "-Dvarve.node.timeout-millis=60000", "-Dvarve.leader.timeout-millis=60000"
  };

  /**
   * Some tests check the contexts that a search leaves on its node, so a slow search must not be
   * hedged: that would leave contexts on two nodes.
   */
  private static final String SETTINGS =
      """
      {"persistent":{
        "cluster.routing.hedging.budget":0,
        "cluster.consistency.read.timeout":"1m",
        "cluster.consistency.write.visible_timeout":"2m"}}\
      """;

  private final Process process;
  private final Path data;
  private final String url;

  private StandaloneProcess(Process process, Path data, String url) {
    this.process = process;
    this.data = data;
    this.url = url;
  }

  /**
   * Starts a standalone and waits until it is green.
   *
   * @param log the file for its output
   */
  static StandaloneProcess start(Path log) throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("varve-conformance");
    int port = FreePorts.next();
    List<String> command = ChildJvm.command(Child.class.getName(), PATIENT);
    command.add(Standalone.class.getName());
    command.addAll(List.of("--data", data.toString(), "--port", Integer.toString(port)));
    command.addAll(List.of("--log.flush", "os", "--node.attr.testattr", "test"));
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    StandaloneProcess started = new StandaloneProcess(process, data, "http://127.0.0.1:" + port);
    if (!Readiness.awaitGreen(started.url, Standalone.NODES, START_WITHIN, process::isAlive)) {
      started.close();
      throw new IOException("the standalone did not start; its log is " + log);
    }
    started.applySettings();
    return started;
  }

  private void applySettings() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url + "/_cluster/settings"))
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(SETTINGS))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      if (response.statusCode() != 200) {
        throw new IOException("the standalone refuses its settings: " + response.body());
      }
    }
  }

  String url() {
    return url;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    process.destroy();
    if (!process.waitFor(20, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
    }
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
