package io.varve.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.TreeMap;

/**
 * The processes of a server, and their CPU time. It is read from {@code /proc} and includes all
 * threads.
 *
 * @param pids the process ids, keyed by name
 */
record Processes(Map<String, Long> pids) {

  private static final double TICKS_PER_SECOND = 100;

  Processes {
    pids = Map.copyOf(pids);
  }

  double cpuSeconds() throws IOException {
    return cpuSeconds("");
  }

  /**
   * Returns the CPU seconds of the processes whose names have this prefix; NaN if there is none.
   */
  double cpuSeconds(String prefix) throws IOException {
    double sum = Double.NaN;
    for (Map.Entry<String, Long> process : pids.entrySet()) {
      if (process.getKey().startsWith(prefix)) {
        sum = (Double.isNaN(sum) ? 0 : sum) + cpuSeconds(process.getValue());
      }
    }
    return sum;
  }

  /** The processes that hold copies; all if none is known to. */
  Processes dataNodes() {
    Map<String, Long> data = new TreeMap<>(pids);
    data.keySet()
        .removeIf(name ->
            !name.startsWith(MeasuredServer.SHARD_SERVICE)
                && !name.startsWith(MeasuredServer.REPLICATION_SERVICE));
    return data.isEmpty() ? this : new Processes(data);
  }

  Map<String, Double> cpuSecondsByProcess() throws IOException {
    Map<String, Double> byProcess = new TreeMap<>();
    for (Map.Entry<String, Long> process : pids.entrySet()) {
      byProcess.put(process.getKey(), cpuSeconds(process.getValue()));
    }
    return byProcess;
  }

  Map<String, Double> residentMegabytesByProcess() throws IOException {
    Map<String, Double> byProcess = new TreeMap<>();
    for (Map.Entry<String, Long> process : pids.entrySet()) {
      byProcess.put(process.getKey(), residentMegabytes(process.getValue()));
    }
    return byProcess;
  }

  /** CPU seconds by kind of process. */
  Map<String, Double> cpuSecondsByKind() throws IOException {
    Map<String, Double> byKind = new TreeMap<>();
    for (Map.Entry<String, Long> process : pids.entrySet()) {
      byKind.merge(kind(process.getKey()), cpuSeconds(process.getValue()), Double::sum);
    }
    return byKind;
  }

  /** The kind of a process: its name without its number. */
  static String kind(String process) {
    return process.replaceFirst("-\\d+$", "");
  }

  private static double cpuSeconds(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /** Resident memory of all processes, in units of 10^6 bytes. */
  double residentMegabytes() throws IOException {
    double sum = 0;
    for (long pid : pids.values()) {
      sum += residentMegabytes(pid);
    }
    return sum;
  }

  static double residentMegabytes(long pid) throws IOException {
    return status(pid, "VmRSS:") * 1024 / 1e6;
  }

  int threads() throws IOException {
    int sum = 0;
    for (long pid : pids.values()) {
      sum += threads(pid);
    }
    return sum;
  }

  static int threads(long pid) throws IOException {
    return (int) status(pid, "Threads:");
  }

  /** A number of {@code /proc/PID/status}. */
  private static long status(long pid, String name) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
      if (line.startsWith(name)) {
        return Long.parseLong(line.substring(name.length()).replace("kB", "").strip());
      }
    }
    throw new IOException("/proc/" + pid + "/status has no line " + name);
  }

  /**
   * Returns the process to impair: the last data node, or the last process if none is a data node.
   */
  String victimName() {
    return pids.keySet().stream()
        .max(
            Comparator.comparing((String name) -> name.startsWith(MeasuredServer.SHARD_SERVICE))
                .thenComparing(Comparator.naturalOrder()))
        .orElseThrow();
  }

  long victim() {
    return pids.get(victimName());
  }

  /** Kills a process with SIGKILL. */
  void kill(String name) throws IOException {
    ProcessHandle process =
        ProcessHandle.of(pids.get(name))
            .orElseThrow(() -> new IOException("the process " + name + " no longer runs"));
    process.destroyForcibly();
  }
}
