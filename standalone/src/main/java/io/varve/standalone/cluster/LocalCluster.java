package io.varve.standalone.cluster;

import io.varve.events.Json;
import io.varve.standalone.DataLock;
import io.varve.standalone.Options;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The same services as separate processes on loopback, each with a folder of its own.
 *
 * <p>Writes {@code cluster.json} (name, role, pid and url of each process) at the start and
 * whenever a pid changes. Prints one line {@code ready URL} when all nodes have joined and no copy
 * is on its way; ends all of them on SIGTERM.
 *
 * <pre>
 *   STARTING  a process that ends fails the start: the cause is the end of its log
 *   UP        a process that ends, however it ends, is started again unless --restart never
 * </pre>
 */
public final class LocalCluster implements AutoCloseable {

  private static final Duration START_WITHIN = Duration.ofMinutes(4);
  private static final Duration STOP_WITHIN = Duration.ofSeconds(8);

  /** So that a process that can't start does not take the whole machine. */
  private static final long RESTART_AFTER_MILLIS = 500;

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

  public static void main(String[] arguments) throws Exception {
    Options options = Options.parseOrExit(arguments, ProcessPlans.OPTIONS);
    CountDownLatch ended = new CountDownLatch(1);
    LocalCluster cluster = start(options);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  cluster.close();
                  ended.countDown();
                },
                "varve-shutdown"));
    Optional<String> status = cluster.awaitUp(START_WITHIN);
    if (status.isEmpty()) {
      System.err.println("varve: " + cluster.whyNotUp());
      System.exit(1);
    }
    Readiness.sayUnlessGreen(status.get());
    System.out.println("ready " + cluster.url());
    ended.await();
  }

  /** Starts all processes, without waiting for them. */
  public static LocalCluster start(Options options) throws IOException {
    Path data = options.data("cluster");
    LocalCluster cluster = new LocalCluster(data, restarts(options));
    for (ProcessPlan plan : ProcessPlans.of(options, data)) {
      ManagedProcess process = new ManagedProcess(plan, data, options.text("heap", "1g"));
      cluster.processes.add(process);
      cluster.watch(process);
    }
    cluster.writeClusterFile();
    return cluster;
  }

  private static boolean restarts(Options options) {
    return switch (options.text("restart", "always")) {
      case "always" -> true;
      case "never" -> false;
      default ->
          throw new IllegalArgumentException("option [--restart] must be [always] or [never]");
    };
  }

  /**
   * Waits until every node has joined and health is green; false when that takes longer, or when
   * the start has failed.
   */
  public boolean awaitGreen(Duration within) throws InterruptedException {
    boolean green = Readiness.awaitGreen(url(), nodes(), within, this::mayComeUp);
    if (green) {
      up = true;
    }
    return green;
  }

  private Optional<String> awaitUp(Duration within) throws InterruptedException {
    Optional<String> status = Readiness.awaitUp(url(), nodes(), within, this::mayComeUp);
    if (status.isPresent()) {
      up = true;
    }
    return status;
  }

  private boolean mayComeUp() {
    return !closing && failure.isEmpty();
  }

  /** The process that failed the start, and the end of its log; else the ends of all logs. */
  public String whyNotUp() {
    if (!failure.isEmpty()) {
      return failure;
    }
    StringBuilder text = new StringBuilder("not up in time; the ends of the logs:");
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
        .thenAcceptAsync(ended -> onExit(process, ended), delayed())
        .exceptionally(this::report);
  }

  private static Executor delayed() {
    return CompletableFuture.delayedExecutor(RESTART_AFTER_MILLIS, TimeUnit.MILLISECONDS);
  }

  private synchronized void onExit(ManagedProcess process, Process ended) {
    if (closing) {
      return;
    }
    String what = process.plan().name() + " ended with status " + ended.exitValue();
    if (!up) {
      failure = what + "; the end of " + process.log() + ":\n  " + endOf(process.log(), 8);
      return;
    }
    System.err.println("varve: " + what);
    if (!restart) {
      return;
    }
    try {
      process.restart();
      writeClusterFile();
    } catch (IOException e) {
      throw new UncheckedIOException("could not start " + process.plan().name() + " again", e);
    }
    watch(process);
  }

  private static String endOf(Path log, int lines) {
    return String.join("\n  ", LogTail.of(log, lines));
  }

  private Void report(Throwable problem) {
    System.err.println("varve: " + problem.getMessage());
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
      System.err.println("varve: could not give back the lock of " + data + ": " + e.getMessage());
    }
  }

  /** Nodes go before brokers, so that they can still commit what they know. */
  private void stopAll(Predicate<ManagedProcess> which) throws InterruptedException {
    List<ManagedProcess> chosen = processes.stream().filter(which).toList();
    chosen.forEach(p -> p.process().destroy());
    long deadline = System.nanoTime() + STOP_WITHIN.toNanos() / 2;
    for (ManagedProcess process : chosen) {
      process.stop(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
  }
}
