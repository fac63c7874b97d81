package io.varve.conformance;

import io.varve.kafka.FreePorts;
import io.varve.standalone.ChildJvm;
import io.varve.standalone.Readiness;
import io.varve.standalone.RestAccess;
import io.varve.standalone.RestCalls;
import io.varve.standalone.SecurityFolder;
import io.varve.standalone.Standalone;
import io.varve.standalone.cluster.Child;
import java.io.IOException;
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
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);

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
  private final RestAccess access;

  private StandaloneProcess(Process process, Path data, String url, RestAccess access) {
    this.access = access;
    this.process = process;
    this.data = data;
    this.url = url;
  }

  /**
   * Starts a standalone and waits until it is green.
   *
   * @param log the file for its output
   * @param secured whether it has security with TLS
   */
  static StandaloneProcess start(Path log, boolean secured)
      throws IOException, InterruptedException {
    Path data = Files.createTempDirectory("varve-conformance");
    int port = FreePorts.next();
    List<String> command = ChildJvm.command(Child.class.getName(), PATIENT);
    command.add(Standalone.class.getName());
    command.addAll(List.of("--data", data.toString(), "--port", Integer.toString(port)));
    command.addAll(List.of("--log.flush", "os", "--node.attr.testattr", "test"));
    RestAccess access = RestAccess.PLAIN;
    if (secured) {
      command.add("--secured");
      SecurityFolder security = new SecurityFolder(data);
      security.prepare(List.of());
      access = security.access();
    }
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    String url = (secured ? "https" : "http") + "://127.0.0.1:" + port;
    StandaloneProcess started = new StandaloneProcess(process, data, url, access);
    if (!Readiness.awaitGreen(url, Standalone.NODES, START_WITHIN, process::isAlive, access)) {
      started.close();
      throw new IOException("the standalone did not start; its log is " + log);
    }
    started.applySettings();
    return started;
  }

  private void applySettings() throws IOException {
    try (RestCalls calls = new RestCalls(url, CALL_TIMEOUT, access)) {
      RestCalls.Answer answer = calls.call("PUT", "/_cluster/settings", SETTINGS);
      if (answer.status() != 200) {
        throw new IOException("the standalone refuses its settings: " + answer.text());
      }
    }
  }

  /** How it is called, as the user admin if it is secured. */
  RestAccess access() {
    return access;
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
