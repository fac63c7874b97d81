package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A server to measure: the URLs of its coordinators and its processes.
 *
 * @param access the credentials and TLS context of calls
 * @param process the launcher that this program started, or {@code null} for a server that was
 *     already running
 */
record MeasuredServer(
    String name,
    List<String> coordinators,
    ServerAccess access,
    Processes processes,
    @Nullable Process process)
    implements AutoCloseable {

  static final String SHARD_SERVICE = "shard-service";
  static final String REPLICATION_SERVICE = "replication-service";
  static final JsonMapper JSON = new JsonMapper();
  private static final long STOP_WITHIN_SECONDS = 20;

  MeasuredServer {
    coordinators = List.copyOf(coordinators);
  }

  /** The coordinator that receives all requests that are not sent to the coordinators in turn. */
  String url() {
    return coordinators.getFirst();
  }

  /** The same server with other credentials. */
  MeasuredServer with(String newName, ServerAccess newAccess) {
    return new MeasuredServer(newName, coordinators, newAccess, processes, process);
  }

  /** A new connection to {@link #url()}. */
  HttpConnection connect() throws IOException {
    return new HttpConnection(url(), access);
  }

  /** A server that was already running. */
  static MeasuredServer running(String name, String url, List<Long> pids) {
    Map<String, Long> byName = new HashMap<>();
    for (int i = 0; i < pids.size(); i++) {
      byName.put(String.format(Locale.ROOT, "%s-%03d", name, i), pids.get(i));
    }
    return new MeasuredServer(name, List.of(url), ServerAccess.PLAIN, new Processes(byName), null);
  }

  /** Starts {@code varve cluster} with these options and waits until it is ready. */
  static MeasuredServer varve(Path home, Path data, int port, List<String> more)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(home.resolve("varve").toString(), "cluster"));
    command.addAll(List.of("--data", data.toString(), "--port", Integer.toString(port)));
    command.addAll(more);
    Process process = start(new ProcessBuilder(command));
    String url = url(process);
    return new MeasuredServer(
        "varve", coordinators(data, url), ServerAccess.PLAIN, processes(data, "leader"), process);
  }

  /** Starts {@code varve up} and waits until it is ready. The launcher becomes its process. */
  static MeasuredServer up(Path home, Path data, ServerOptions options) throws IOException {
    ProcessBuilder command =
        new ProcessBuilder(
            home.resolve("varve").toString(),
            "up",
            "--data",
            data.toString(),
            "--port",
            Integer.toString(options.port()),
            "--log.flush",
            options.flush());
    command.environment().put("VARVE_JAVA_OPTS", "-Xmx" + options.heap());
    Process process = start(command);
    String url = url(process);
    Thread.ofVirtual().start(() -> discardOutput(process));
    return new MeasuredServer(
        "varve",
        List.of(url),
        ServerAccess.PLAIN,
        new Processes(Map.of("up", process.pid())),
        process);
  }

  /** Reads the server's log, so that it does not fill the pipe. */
  private static void discardOutput(Process process) {
    try {
      process.getInputStream().transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      throw new UncheckedIOException("can no longer read the log of the server", e);
    }
  }

  private static Process start(ProcessBuilder command) throws IOException {
    return command.redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  /** Reads the output until the server is ready. */
  private static String url(Process process) throws IOException {
    BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
    for (String line = out.readLine(); line != null; line = out.readLine()) {
      if (line.startsWith("ready ")) {
        return line.substring("ready ".length()).strip();
      }
    }
    throw new IOException("the server ended before it was ready");
  }

  /** The coordinators of {@code varve cluster}; the one that it names as ready is the first. */
  private static List<String> coordinators(Path data, String ready) throws IOException {
    Set<String> urls = new LinkedHashSet<>(List.of(ready));
    for (JsonNode row :
        JSON.readTree(Files.readAllBytes(data.resolve("cluster.json"))).path("processes")) {
      if (row.path("cluster").asString().equals("leader")
          && row.path("role").asString().equals("coordinator")) {
        urls.add(row.path("url").asString());
      }
    }
    return List.copyOf(urls);
  }

  /**
   * The processes of one cluster of {@code varve cluster}.
   *
   * @param cluster {@code leader}, or {@code follower} for the second one
   */
  static Processes processes(Path data, String cluster) throws IOException {
    Map<String, Long> pids = new HashMap<>();
    for (JsonNode row :
        JSON.readTree(Files.readAllBytes(data.resolve("cluster.json"))).path("processes")) {
      if (row.path("cluster").asString().equals(cluster)) {
        pids.put(row.path("name").asString(), row.path("pid").asLong());
      }
    }
    return new Processes(pids);
  }

  JsonNode call(String method, String path, String json) throws IOException {
    try (HttpConnection connection = connect()) {
      HttpConnection.Answer answer =
          connection.call(method, path, "application/json", json.getBytes(UTF_8));
      if (answer.status() >= 300 && answer.status() != 404) {
        throw new IOException(
            name
                + " answered "
                + answer.status()
                + " to "
                + method
                + " "
                + path
                + ": "
                + answer.text());
      }
      return answer.body().length == 0 ? JSON.createObjectNode() : JSON.readTree(answer.body());
    }
  }

  @Override
  public void close() throws InterruptedException {
    if (process != null) {
      process.destroy();
      if (!process.waitFor(STOP_WITHIN_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
  }
}
