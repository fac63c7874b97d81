package io.varve.standalone.cluster;

import io.varve.events.Json;
import io.varve.standalone.DataLock;
import io.varve.standalone.Readiness;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A cluster whose services are separate processes on the loopback interface, each with its own
 * folder.
 *
 * <p>Writes {@code cluster.json} (name, role, pid and url of each process) at the start and
 * whenever a pid changes. When run as a program, it prints one line {@code ready URL} as soon as
 * all nodes have joined and no copy is recovering, and stops all processes on SIGTERM.
 *
 * <pre>
 *   STARTING  the first exit of a process fails the start; the end of its log is reported
 *   UP        a process that exits, with any status, is restarted unless --restart never
 * </pre>
 */
public final class LocalCluster implements AutoCloseable {

  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(8);

  /** Limits the load caused by a process that repeatedly fails to start. */
  private static final long RESTART_DELAY_MILLIS = 500;

  private final Path data;
  private final DataLock lock;
  private final boolean restart;
  private final List<ManagedProcess> processes = new ArrayList<>();
  private volatile boolean closing;
  private volatile boolean up;
  private volatile String failure = "";

  private LocalCluster(Path data, boolean restart) throws IOException {
    this.data = data;
    this.restart = restart;
    this.lock = DataLock.acquire(data);
  }

  public static void main(String[] arguments) {
    System.exit(LocalClusterCommand.commandLine(arguments).execute(arguments));
  }

  /** Starts all processes, without waiting for them. */
  static LocalCluster start(ClusterOptions options) throws IOException {
    Path data = options.data();
    LocalCluster cluster =
        new LocalCluster(data, options.restart() == ClusterOptions.Restart.ALWAYS);
    for (ProcessPlan plan : ProcessPlans.of(options)) {
      ManagedProcess process = new ManagedProcess(plan, data, options.heap());
      cluster.processes.add(process);
      cluster.watch(process);
    }
    cluster.writeClusterFile();
    return cluster;
  }

  /**
   * Waits until every node has joined and health is green. Returns false after a timeout or if the
   * start has failed.
   */
  public boolean awaitGreen(Duration within) throws InterruptedException {
    boolean green = Readiness.awaitGreen(url(), nodes(), within, this::mayStillStart);
    if (green) {
      up = true;
    }
    return green;
  }

  /**
   * Waits until every node has joined and no copy is recovering. Returns the health, or empty after
   * a timeout or if the start has failed.
   */
  Optional<String> awaitUp(Duration within) throws InterruptedException {
    Optional<String> status = Readiness.awaitUp(url(), nodes(), within, this::mayStillStart);
    if (status.isPresent()) {
      up = true;
    }
    return status;
  }

  private boolean mayStillStart() {
    return !closing && failure.isEmpty();
  }

  /**
   * Describes a failed start: the process whose exit failed it, with the end of its log, or after a
   * timeout the ends of all logs.
   */
  public String whyNotUp() {
    if (!failure.isEmpty()) {
      return failure;
    }
    StringBuilder text = new StringBuilder("not up in time; ends of the logs:");
    for (ManagedProcess process : processes) {
      text.append("\n").append(process.log()).append(":\n  ").append(endOf(process.log(), 2));
    }
    return text.toString();
  }

  private int nodes() {
    return (int) processes.stream().filter(p -> p.plan().isNode()).count();
  }

  public String url() {
    return processes.stream()
        .map(ManagedProcess::plan)
        .filter(p -> p.role() == ProcessPlan.Role.COORDINATOR)
        .findFirst()
        .orElseThrow()
        .url();
  }

  private void watch(ManagedProcess process) {
    process
        .process()
        .onExit()
        .thenAcceptAsync(ended -> onExit(process, ended), afterRestartDelay())
        .exceptionally(this::report);
  }

  private static Executor afterRestartDelay() {
    return CompletableFuture.delayedExecutor(RESTART_DELAY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private synchronized void onExit(ManagedProcess process, Process ended) {
    if (closing) {
      return;
    }
    String exit = process.plan().name() + " ended with status " + ended.exitValue();
    if (!up) {
      failure = exit + "; end of " + process.log() + ":\n  " + endOf(process.log(), 8);
      return;
    }
    System.err.println("varve: " + exit);
    if (!restart) {
      return;
    }
    try {
      process.restart();
      writeClusterFile();
    } catch (IOException e) {
      throw new UncheckedIOException("could not restart " + process.plan().name(), e);
    }
    watch(process);
  }

  private static String endOf(Path log, int lines) {
    return String.join("\n  ", LogTail.of(log, lines));
  }

  private Void report(Throwable error) {
    System.err.println("varve: " + error.getMessage());
    return null;
  }

  private synchronized void writeClusterFile() throws IOException {
    List<Map<String, Object>> rows = processes.stream().map(LocalCluster::row).toList();
    Path temporary = data.resolve("cluster.json.tmp");
    Files.write(
        temporary,
        Json.mapper()
            .writerWithDefaultPrettyPrinter()
            .writeValueAsBytes(Map.of("processes", rows)));
    Files.move(temporary, data.resolve("cluster.json"), StandardCopyOption.ATOMIC_MOVE);
  }

  private static Map<String, Object> row(ManagedProcess process) {
    ProcessPlan plan = process.plan();
    Map<String, Object> row = new LinkedHashMap<>();
    row.put("name", plan.name());
    row.put("role", plan.role().text);
    row.put("pid", process.pid());
    row.put("url", plan.url());
    return row;
  }

  @Override
  public void close() {
    synchronized (this) {
      closing = true;
    }
    try {
      stopAll(p -> p.plan().isNode());
      stopAll(p -> !p.plan().isNode());
      lock.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      processes.forEach(p -> p.process().destroyForcibly());
    } catch (IOException e) {
      System.err.println("varve: could not release the lock of " + data + ": " + e.getMessage());
    }
  }

  /** Nodes are stopped before brokers, so that they can still commit their offsets. */
  private void stopAll(Predicate<ManagedProcess> which) throws InterruptedException {
    List<ManagedProcess> stopped = processes.stream().filter(which).toList();
    stopped.forEach(p -> p.process().destroy());
    long deadline = System.nanoTime() + STOP_TIMEOUT.toNanos() / 2;
    for (ManagedProcess process : stopped) {
      process.stop(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
  }
}
