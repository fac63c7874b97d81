package io.varve.standalone.cluster;

import io.varve.events.Json;
import io.varve.standalone.DataLock;
import io.varve.standalone.FollowerAccess;
import io.varve.standalone.Readiness;
import io.varve.standalone.RestAccess;
import io.varve.standalone.RestCalls;
import io.varve.standalone.SecurityFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import picocli.CommandLine;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A cluster whose services are separate processes on the loopback interface, each with its own
 * folder; with {@code --follower} there is a second cluster that can follow it, and with {@code
 * --link} a {@link FollowerLinks network} between both. The clusters start and stop together.
 *
 * <p>Writes {@code cluster.json} at the start and whenever a process id changes. When run as a
 * program, it prints one line {@code ready URL} as soon as all nodes of all clusters have joined
 * and no copy is recovering, and stops all processes on SIGTERM. If a process ends before that, the
 * start has failed; see {@link ProcessGroup}.
 */
public final class LocalCluster implements AutoCloseable {

  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(8);
  private static final Duration CALL_TIMEOUT = Duration.ofMinutes(1);
  private static final String GREEN = "green";

  private final Path data;
  private final DataLock lock;
  private final ClusterFile file;
  private final List<ProcessGroup> clusters;
  private final Optional<FollowerLinks> links;
  private final ClusterOptions options;

  private boolean remoteClusterIsSet;
  private String failure = "";

  private LocalCluster(
      ClusterOptions options, DataLock lock, List<ClusterPlan> plans, Optional<FollowerLinks> links)
      throws IOException {
    this.data = options.data();
    this.lock = lock;
    this.file = new ClusterFile(data);
    boolean restart = options.restart() == ClusterOptions.Restart.ALWAYS;
    this.clusters =
        plans.stream().map(plan -> new ProcessGroup(plan, restart, this::writeFile)).toList();
    this.links = links;
    this.options = options;
  }

  public static void main(String[] arguments) {
    System.exit(commandLine(arguments).execute(arguments));
  }

  public static CommandLine commandLine(String... arguments) {
    return LocalClusterCommand.commandLine(arguments);
  }

  /** Starts all processes, without waiting for them. */
  static LocalCluster start(ClusterOptions options) throws IOException {
    LocalCluster started = prepare(options);
    try {
      for (ProcessGroup cluster : started.clusters) {
        cluster.start(options.heap());
      }
      started.writeFile();
      return started;
    } catch (IOException | RuntimeException e) {
      started.close();
      throw e;
    }
  }

  /** Chooses the ports and opens the links. */
  private static LocalCluster prepare(ClusterOptions options) throws IOException {
    DataLock lock = DataLock.acquire(options.data());
    try {
      List<ClusterPlan> plans = ClusterPlan.of(options);
      for (ClusterPlan plan : plans) {
        plan.requireFreePorts();
      }
      Optional<FollowerLinks> links =
          options.link().isEmpty()
              ? Optional.empty()
              : Optional.of(
                  FollowerLinks.open(
                      options.data(), options.link().get(), plans.getFirst().links()));
      return new LocalCluster(options, lock, plans, links);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private void writeFile() throws IOException {
    file.write(clusters);
  }

  /**
   * Waits until every node has joined and health is green. Returns false after a timeout or if the
   * start has failed.
   */
  public boolean awaitGreen(Duration within) throws InterruptedException {
    return awaitEach(
            within,
            (plan, left) ->
                Readiness.awaitGreen(
                        plan.url(), plan.nodes(), left, this::mayStillStart, access(plan))
                    ? Optional.of(GREEN)
                    : Optional.empty())
        .isPresent();
  }

  /**
   * Waits until every node has joined and no copy is recovering. Returns the health of the first
   * cluster that is not green, or else green; empty after a timeout or if the start has failed.
   */
  Optional<String> awaitUp(Duration within) throws InterruptedException {
    return awaitEach(
        within,
        (plan, left) ->
            Readiness.awaitUp(plan.url(), plan.nodes(), left, this::mayStillStart, access(plan)));
  }

  private interface Wait {
    Optional<String> await(ClusterPlan plan, Duration within) throws InterruptedException;
  }

  /** Access to the first cluster as its administrator. */
  RestAccess access() {
    return access(clusters.getFirst().plan());
  }

  /** Access as the administrator of that cluster. */
  private RestAccess access(ClusterPlan plan) {
    try {
      return options.secured() ? new SecurityFolder(plan.data()).access() : RestAccess.PLAIN;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<String> awaitEach(Duration within, Wait wait) throws InterruptedException {
    long deadline = System.nanoTime() + within.toNanos();
    String health = GREEN;
    for (ProcessGroup cluster : clusters) {
      ClusterPlan plan = cluster.plan();
      Duration left = Duration.ofNanos(deadline - System.nanoTime());
      Optional<String> status = wait.await(plan, left);
      if (status.isEmpty() || !mayStillStart()) {
        return Optional.empty();
      }
      health = health.equals(GREEN) ? status.get() : health;
    }
    if (clusters.size() > 1 && !remoteClusterIsSet) {
      try {
        setRemoteCluster();
      } catch (IOException | IllegalStateException e) {
        failure = "the remote cluster of the follower could not be configured: " + e.getMessage();
        return Optional.empty();
      }
    }
    clusters.forEach(ProcessGroup::markUp);
    return Optional.of(health);
  }

  private boolean mayStillStart() {
    return clusters.stream().allMatch(ProcessGroup::mayStillStart);
  }

  /**
   * Configures the address of the leader in the follower; the ports may differ from those of the
   * last start.
   */
  private void setRemoteCluster() throws IOException {
    ClusterPlan leader = clusters.getFirst().plan();
    ObjectNode settings = Json.mapper().createObjectNode();
    ObjectNode persistent = settings.putObject("persistent");
    ArrayNode seeds = persistent.putArray("cluster.remote." + ClusterPlan.LEADER + ".seeds");
    leader.seeds().forEach(seeds::add);
    if (options.secured()) {
      FollowerAccess.addTo(persistent, ClusterPlan.LEADER);
      try (RestCalls calls = calls(leader)) {
        FollowerAccess.of(data, options.serviceArguments()).createUser(calls);
      }
    }
    try (RestCalls follower = calls(clusters.get(1).plan())) {
      follower.call("PUT", "/_cluster/settings", settings.toString()).orThrow();
    }
    remoteClusterIsSet = true;
  }

  private RestCalls calls(ClusterPlan plan) {
    return new RestCalls(plan.url(), CALL_TIMEOUT, access(plan));
  }

  /**
   * Describes a failed start: the process whose exit failed it, with the end of its log, or after a
   * timeout the ends of all logs.
   */
  public String whyNotUp() {
    if (!failure.isEmpty()) {
      return failure;
    }
    for (ProcessGroup cluster : clusters) {
      if (!cluster.failure().isEmpty()) {
        return cluster.failure();
      }
    }
    StringBuilder text = new StringBuilder("not up in time; ends of the logs:");
    clusters.forEach(cluster -> text.append(cluster.endsOfLogs()));
    return text.toString();
  }

  public String url() {
    return clusters.getFirst().plan().url();
  }

  /** The bootstrap servers of the first cluster's log. */
  String kafka() {
    return clusters.getFirst().plan().kafka();
  }

  /** The URL of the cluster of {@code --follower}. */
  public Optional<String> followerUrl() {
    return clusters.size() == 1 ? Optional.empty() : Optional.of(clusters.get(1).plan().url());
  }

  /** The network between both clusters. */
  Optional<FollowerLinks> links() {
    return links;
  }

  @Override
  public void close() {
    clusters.forEach(ProcessGroup::beginClosing);
    try {
      stopTogether();
      if (links.isPresent()) {
        links.get().close();
      }
      lock.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      clusters.forEach(ProcessGroup::kill);
    } catch (IOException e) {
      System.err.println("varve: could not release " + data + ": " + e.getMessage());
    }
  }

  private void stopTogether() throws InterruptedException {
    try (ExecutorService stops = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Void> stop :
          stops.invokeAll(clusters.stream().map(LocalCluster::stopping).toList())) {
        stop.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a process could not be stopped", e.getCause());
    }
  }

  private static Callable<Void> stopping(ProcessGroup cluster) {
    return () -> {
      cluster.stop(STOP_TIMEOUT);
      return null;
    };
  }
}
