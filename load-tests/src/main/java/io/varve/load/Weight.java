package io.varve.load;

import io.varve.load.budget.Jcmd;
import io.varve.load.budget.Stage;
import io.varve.load.budget.ThreadTimes;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The resources that an idle cluster uses.
 *
 * @param byKind by kind of process
 * @param stateMillis the median time of {@code _cluster/state}
 */
record Weight(Map<String, OfProcesses> byKind, double stateMillis) {

  private static final int STATE_CALLS = 7;

  /**
   * The resources of the processes of one kind.
   *
   * @param heapMegabytes of live objects, after a full collection
   * @param idleSeconds CPU seconds per second
   * @param compilerSeconds the part of these used by the compilers
   */
  record OfProcesses(
      double heapMegabytes,
      double residentMegabytes,
      double threads,
      double idleSeconds,
      double compilerSeconds) {

    OfProcesses plus(OfProcesses other) {
      return new OfProcesses(
          heapMegabytes + other.heapMegabytes,
          residentMegabytes + other.residentMegabytes,
          threads + other.threads,
          idleSeconds + other.idleSeconds,
          compilerSeconds + other.compilerSeconds);
    }
  }

  Weight {
    byKind = new TreeMap<>(byKind);
  }

  /** The resources of no processes: zeros. */
  OfProcesses of(String kind) {
    return byKind.getOrDefault(kind, new OfProcesses(0, 0, 0, 0, 0));
  }

  double sum(ToDoubleFunction<OfProcesses> value) {
    return byKind.values().stream().mapToDouble(value).sum();
  }

  /**
   * Waits until the server has settled, then for the window. Heaps are collected last, so they do
   * not disturb the window.
   */
  static Weight of(MeasuredServer server, LoadClock clock, Duration settle, Duration window)
      throws IOException, InterruptedException {
    clock.sleepNanos(settle.toNanos());
    Map<String, Long> pids = server.processes().pids();
    Map<String, ThreadTimes> before = times(pids);
    long beganNanos = clock.nanos();
    clock.sleepNanos(window.toNanos());
    Map<String, ThreadTimes> after = times(pids);
    double seconds = (clock.nanos() - beganNanos) / 1e9;
    Map<String, OfProcesses> byKind = new TreeMap<>();
    for (Map.Entry<String, Long> process : pids.entrySet()) {
      String name = process.getKey();
      long pid = process.getValue();
      ThreadTimes was = before.get(name);
      ThreadTimes now = after.get(name);
      OfProcesses here =
          new OfProcesses(
              Jcmd.liveBytes(pid) / 1e6,
              Processes.residentMegabytes(pid),
              Processes.threads(pid),
              (now.processSeconds() - was.processSeconds()) / seconds,
              now.since(was).getOrDefault(Stage.JIT, 0.0) / seconds);
      byKind.merge(Processes.kind(name), here, OfProcesses::plus);
    }
    return new Weight(byKind, stateMillis(server, clock));
  }

  private static Map<String, ThreadTimes> times(Map<String, Long> pids) throws IOException {
    Map<String, ThreadTimes> times = new HashMap<>();
    for (Map.Entry<String, Long> process : pids.entrySet()) {
      times.put(process.getKey(), ThreadTimes.read(process.getValue()));
    }
    return times;
  }

  private static double stateMillis(MeasuredServer server, LoadClock clock) throws IOException {
    Latencies latencies = new Latencies();
    for (int i = 0; i < STATE_CALLS; i++) {
      long sentNanos = clock.nanos();
      server.call("GET", "/_cluster/state", "");
      latencies.add(clock.nanos() - sentNanos);
    }
    return latencies.quantile(0.5);
  }
}
