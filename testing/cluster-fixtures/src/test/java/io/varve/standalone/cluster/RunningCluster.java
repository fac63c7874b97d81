package io.varve.standalone.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.kafka.FreePorts;
import io.varve.standalone.ChildJvm;
import io.varve.standalone.RestAccess;
import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;

/**
 * A cluster of real processes for a test, with its files in {@code data}. Killed processes are
 * restarted.
 */
final class RunningCluster implements AutoCloseable {

  private static final Duration GREEN_WITHIN = Duration.ofMinutes(5);

  /** A process starts, joins and copies on a machine that runs the rest of the cluster as well. */
  private static final Duration REPLACED_WITHIN = Duration.ofMinutes(20);

  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(2);
  private static final Duration RESTARTS_WITHIN = Duration.ofMinutes(1);

  /** A process answers its requests and closes its copies. */
  private static final Duration STOPS_WITHIN = Duration.ofMinutes(10);

  /** Exceeds any delay of heartbeats on a slow machine. */
  private static final String NEVER_SILENT_MILLIS = "60000";

  private static final String NODE_TIMEOUT = "--varve.node.timeout-millis";
  private static final String LEADER_TIMEOUT = "--varve.leader.timeout-millis";

  /** Exceeds any delay of an append, also in a process that stops. */
  private static final String APPEND_MILLIS = "60000";

  /**
   * No process leaves because it is silent for some time, and no append has an unknown outcome
   * because the machine is slow. A process that ended refuses connections, and leaves because of
   * that.
   */
  private static final List<String> PATIENT =
      List.of(
          NODE_TIMEOUT,
          NEVER_SILENT_MILLIS,
          LEADER_TIMEOUT,
          NEVER_SILENT_MILLIS,
          "--varve.kafka.append-timeout-millis",
          APPEND_MILLIS,
          "--varve.closing-timeout-millis",
          APPEND_MILLIS);

  /**
   * Injects the shared cluster into tests: a broker, a coordinator, a shard-service, a
   * replication-service, and a ccr-follower. Its indices are deleted after each test. No node
   * leaves because of a timeout; see {@link #leaves}.
   */
  static final class Shared implements ParameterResolver, BeforeAllCallback, AfterEachCallback {
    @Override
    public void beforeAll(ExtensionContext context) throws Exception {
      if (!BySharedCluster.uses(context.getRequiredTestClass(), ServicesInOneJvm.Shared.class)) {
        StartedOnce.end(context, ServicesInOneJvm.class);
      }
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
      Optional<Small> started = StartedOnce.find(context, Small.class);
      if (started.isPresent()) {
        RestCalls rest = started.get().cluster().rest();
        TestIndex.deleteAll(rest);
        Patience.end(rest);
      }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == RunningCluster.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return StartedOnce.in(context, Small.class, Small::start).cluster();
    }
  }

  /** A cluster that deletes its folder when it is closed. */
  private record Small(Path data, RunningCluster cluster) implements AutoCloseable {
    static Small start() throws Exception {
      Path data = Files.createTempDirectory("varve-cluster");
      return new Small(
          data,
          RunningCluster.start(
              data,
              "--shard-services",
              "1",
              "--replication-services",
              "1",
              "--varve.node.refused-timeout-millis",
              NEVER_SILENT_MILLIS));
    }

    @Override
    public void close() throws Exception {
      cluster.close();
      FileSystemUtils.deleteRecursively(data);
    }
  }

  private final Path data;
  private final LocalCluster cluster;
  private final RestCalls rest;
  private final Links links;

  private RunningCluster(Path data, LocalCluster cluster) throws IOException {
    this.data = data;
    this.cluster = cluster;
    this.links = Links.of(data);
    this.rest = new RestCalls(cluster.url(), CALL_TIMEOUT, cluster.access());
  }

  /** Starts a cluster, which is {@link #PATIENT} unless the options have a node timeout. */
  static RunningCluster start(Path data, String... options) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of("--data", data.toString(), "--port", Integer.toString(FreePorts.next())));
    all.addAll(List.of("--heap", "384m"));
    all.addAll(Arrays.asList(options));
    if (!all.contains(NODE_TIMEOUT)) {
      all.addAll(PATIENT);
    }
    RunningCluster running =
        new RunningCluster(
            data, LocalCluster.start(ClusterOptions.parse(all.toArray(String[]::new))));
    try {
      running.awaitGreen();
      return running;
    } catch (Exception | AssertionError e) {
      running.close();
      throw e;
    }
  }

  void awaitGreen() throws InterruptedException {
    assertThat(cluster.awaitGreen(GREEN_WITHIN)).as(cluster::whyNotUp).isTrue();
  }

  /** The proxies of a cluster that was started with {@code --published-ports apart}. */
  Links links() {
    return links;
  }

  RestCalls rest() {
    return rest;
  }

  /** The addresses of its brokers. */
  String kafka() {
    return cluster.kafka();
  }

  /** The REST endpoint of the cluster that was started by {@code --follower}. */
  String followerUrl() {
    return cluster.followerUrl().orElseThrow();
  }

  /** The network of a cluster that was started with {@code --link}. */
  FollowerLinks networkOfFollower() {
    return cluster.links().orElseThrow();
  }

  String url() {
    return cluster.url();
  }

  /** How the cluster is called, as the user admin if it is secured. */
  RestAccess access() {
    return cluster.access();
  }

  String hostAndPort() {
    return URI.create(url()).getAuthority();
  }

  private JsonNode rows() throws IOException {
    return Json.mapper()
        .readTree(Files.readAllBytes(data.resolve("cluster.json")))
        .path("processes");
  }

  private JsonNode row(String name) throws IOException {
    for (JsonNode row : rows()) {
      if (row.path("name").asString("").equals(name)) {
        return row;
      }
    }
    throw new IllegalArgumentException("no process " + name);
  }

  /** Returns the current id of the process with that name, from {@code cluster.json}. */
  long pid(String name) throws IOException {
    return row(name).path("pid").asLong();
  }

  /** The URL of the process with that name. */
  String url(String name) throws IOException {
    return row(name).path("url").asString();
  }

  /** Finds a process; waits for its restart if it has just been killed. */
  private ProcessHandle process(String name) {
    return Awaitility.await()
        .atMost(RESTARTS_WITHIN)
        .until(() -> ProcessHandle.of(pid(name)), Optional::isPresent)
        .orElseThrow();
  }

  /** Kills the process with SIGKILL and waits until it is gone. */
  void kill(String name) throws Exception {
    ProcessHandle process = process(name);
    assertThat(process.destroyForcibly()).isTrue();
    process.onExit().get(60, TimeUnit.SECONDS);
  }

  /** Runs while a node has no process. */
  @FunctionalInterface
  interface Meanwhile {
    void run() throws Exception;
  }

  /**
   * Kills the process. Each process that replaces it ends, because it cannot read the id of the
   * node, until the action has completed.
   */
  void kill(String name, Meanwhile action) throws Exception {
    Path id = data.resolve(name).resolve("node.json");
    byte[] content = Files.readAllBytes(id);
    Files.writeString(id, "{");
    try {
      kill(name);
      action.run();
    } finally {
      Files.write(id, content);
    }
  }

  /** Stops the process with SIGTERM and waits until it is gone. */
  void terminate(String name) throws Exception {
    ProcessHandle process = process(name);
    assertThat(process.destroy()).isTrue();
    process.onExit().get(STOPS_WITHIN.toSeconds(), TimeUnit.SECONDS);
  }

  /**
   * Replaces the process by one of the release with that class path, on the same data folder;
   * returns when the new one is a member and the cluster is green. All processes that start later
   * are of that release too.
   */
  void replace(String name, String classPath) throws Exception {
    String former = incarnation(name);
    System.setProperty(ChildJvm.CLASS_PATH, classPath);
    terminate(name);
    Await.within(REPLACED_WITHIN).until(() -> !List.of("", former).contains(incarnation(name)));
    Await.within(REPLACED_WITHIN)
        .untilAsserted(() -> {
          RestCalls.Answer health =
              rest.get(
                  "/_cluster/health?wait_for_status=green&wait_for_no_relocating_shards=true"
                      + "&timeout=10s&level=shards");
          assertThat(health.status()).as("%s", health.text()).isEqualTo(200);
        });
  }

  /** Moves all copies off a node, as an operator does before its process is stopped. */
  void exclude(String name) throws Exception {
    setting("cluster.routing.allocation.exclude._name", "\"" + name + "\"");
    Await.within(REPLACED_WITHIN)
        .until(() -> nodesWithCopies().stream().noneMatch(node -> node.startsWith(name)));
  }

  /** Allows copies on all nodes again. */
  void excludeNone() throws IOException {
    setting("cluster.routing.allocation.exclude._name", "null");
  }

  private void setting(String name, String json) throws IOException {
    rest.call("PUT", "/_cluster/settings", "{\"persistent\":{\"%s\":%s}}".formatted(name, json))
        .orThrow();
  }

  /** The nodes of copies; for a copy that moves, text that begins with the node that it leaves. */
  private List<String> nodesWithCopies() throws IOException {
    List<String> nodes = new ArrayList<>();
    for (JsonNode copy : rest.get("/_cat/shards?format=json&h=node").orThrow().json()) {
      nodes.add(copy.path("node").asString(""));
    }
    return nodes;
  }

  /** The run of the process of a member; empty if that node is no member. */
  private String incarnation(String name) throws IOException {
    for (JsonNode node : rest.get("/_cluster/state/nodes").orThrow().json().path("nodes")) {
      if (node.path("name").asString("").equals(name)) {
        return node.path("ephemeral_id").asString("");
      }
    }
    return "";
  }

  /** Fills the heap of the process and waits until the process is gone. */
  void exhaustHeap(String name) throws Exception {
    MemoryExhauster.exhaust(process(name), data);
  }

  /** The output of the process with that name, and of earlier processes with that name. */
  String output(String name) throws IOException {
    return Files.readString(data.resolve("logs").resolve(name + ".log"));
  }

  /** The heap dump in the data folder of that process. */
  Path heapDump(String name) {
    return data.resolve(name).resolve("heap.hprof");
  }

  /** Kills all processes, including brokers, before any of them is restarted. */
  void killEverything() throws Exception {
    List<ProcessHandle> all = new ArrayList<>();
    for (JsonNode row : rows()) {
      ProcessHandle.of(row.path("pid").asLong()).ifPresent(all::add);
    }
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : all) {
      process.onExit().get(60, TimeUnit.SECONDS);
    }
  }

  /** Kills the process and deletes its data, so that it returns as a new node. */
  void killWithItsDisk(String name) throws Exception {
    Files.move(data.resolve(name), data.resolve("lost-" + name));
    kill(name);
  }

  /** Suspends a process, which simulates a long pause. */
  void freeze(String name) throws Exception {
    signal("-STOP", name);
  }

  void thaw(String name) throws Exception {
    signal("-CONT", name);
  }

  /** Makes the cluster remove the node of that process, even if the process is alive. */
  void leaves(String name) throws Exception {
    ForcedLeave.of(rest, url("broker-1"), data.resolve(name));
  }

  private void signal(String signal, String name) throws Exception {
    Process kill = new ProcessBuilder("kill", signal, Long.toString(process(name).pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Override
  public void close() throws IOException {
    rest.close();
    cluster.close();
    links.close();
  }
}
