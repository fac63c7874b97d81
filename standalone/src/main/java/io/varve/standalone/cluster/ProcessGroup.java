package io.varve.standalone.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The processes of one cluster of a {@link LocalCluster}.
 *
 * <pre>
 *   STARTING  the first exit of a process fails the start; the end of its log is reported
 *   UP        a process that exits, with any status, is restarted unless --restart never
 *   CLOSING   exits are expected
 * </pre>
 */
final class ProcessGroup {

  /** Limits the load caused by a process that repeatedly fails to start. */
  private static final long RESTART_DELAY_MILLIS = 500;

  /** Called when the id of a process has changed. */
  interface Changed {
    void run() throws IOException;
  }

  private final ClusterPlan plan;
  private final boolean restart;
  private final Changed changed;
  private final List<ManagedProcess> processes = new ArrayList<>();
  private volatile boolean closing;
  private volatile boolean up;
  private volatile String failure = "";

  ProcessGroup(ClusterPlan plan, boolean restart, Changed changed) {
    this.plan = plan;
    this.restart = restart;
    this.changed = changed;
  }

  /** Starts all processes, without waiting for them. */
  synchronized void start(String heap) throws IOException {
    for (ProcessPlan each : plan.processes()) {
      ManagedProcess process = new ManagedProcess(each, plan.data(), heap);
      processes.add(process);
      watch(process);
    }
  }

  ClusterPlan plan() {
    return plan;
  }

  synchronized List<ManagedProcess> processes() {
    return List.copyOf(processes);
  }

  boolean mayStillStart() {
    return !closing && failure.isEmpty();
  }

  void markUp() {
    up = true;
  }

  /** The process whose exit failed the start, with the end of its log; empty if there is none. */
  String failure() {
    return failure;
  }

  /** The ends of all logs. */
  String endsOfLogs() {
    StringBuilder text = new StringBuilder();
    for (ManagedProcess process : processes()) {
      text.append("\n").append(process.log()).append(":\n  ").append(endOf(process, 2));
    }
    return text.toString();
  }

  private void watch(ManagedProcess process) {
    process
        .process()
        .onExit()
        .thenAcceptAsync(ended -> onExit(process, ended), afterRestartDelay())
        .exceptionally(ProcessGroup::report);
  }

  private static Executor afterRestartDelay() {
    return CompletableFuture.delayedExecutor(RESTART_DELAY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void onExit(ManagedProcess process, Process ended) {
    synchronized (this) {
      if (closing) {
        return;
      }
      String exit = name(process) + " ended with status " + ended.exitValue();
      String disk = DiskSpace.note(plan.data());
      if (!up) {
        failure = exit + "; end of " + process.log() + ":\n  " + endOf(process, 8);
        failure += disk.isEmpty() ? "" : "\n" + disk;
        return;
      }
      System.err.println("varve: " + exit + (disk.isEmpty() ? "" : "; " + disk));
      if (!restart) {
        return;
      }
      restart(process);
    }
    try {
      changed.run();
    } catch (IOException e) {
      throw new UncheckedIOException("could not record the new process id of " + name(process), e);
    }
  }

  private void restart(ManagedProcess process) {
    try {
      process.restart();
    } catch (IOException e) {
      throw new UncheckedIOException("could not restart " + name(process), e);
    }
    watch(process);
  }

  private String name(ManagedProcess process) {
    String name = process.plan().name();
    return plan.name().equals(ClusterPlan.LEADER) ? name : name + " of the " + plan.name();
  }

  private static String endOf(ManagedProcess process, int lines) {
    return String.join("\n  ", LogTail.of(process.log(), lines));
  }

  private static Void report(Throwable error) {
    System.err.println("varve: " + error.getMessage());
    return null;
  }

  /** From now on, exits are expected. */
  synchronized void beginClosing() {
    closing = true;
  }

  /** Nodes are stopped before brokers, so that they can still commit their offsets. */
  void stop(Duration within) throws InterruptedException {
    stopAll(ProcessPlan::isNode, within.dividedBy(2));
    stopAll(process -> !process.isNode(), within.dividedBy(2));
  }

  private void stopAll(Predicate<ProcessPlan> which, Duration within) throws InterruptedException {
    List<ManagedProcess> stopped =
        processes().stream().filter(process -> which.test(process.plan())).toList();
    stopped.forEach(process -> process.process().destroy());
    long deadline = System.nanoTime() + within.toNanos();
    for (ManagedProcess process : stopped) {
      process.stop(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
    }
  }

  void kill() {
    processes().forEach(process -> process.process().destroyForcibly());
  }
}
