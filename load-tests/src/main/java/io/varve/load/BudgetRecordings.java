package io.varve.load;

import io.varve.load.budget.CpuBudget;
import io.varve.load.budget.CpuSamples;
import io.varve.load.budget.CpuSamples.Window;
import io.varve.load.budget.Stage;
import io.varve.load.budget.ThreadTimes;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Recordings of the CPU time of a server's processes, and of their threads in some periods. */
final class BudgetRecordings {

  private final Map<String, Long> pids;
  private final Path folder;
  private final Map<String, ThreadTimes> begun = new HashMap<>();
  private final Map<String, Map<Stage, Double>> measured = new HashMap<>();

  private BudgetRecordings(Map<String, Long> pids, Path folder) {
    this.pids = pids;
    this.folder = folder;
  }

  static BudgetRecordings start(Processes processes, Path folder)
      throws IOException, InterruptedException {
    for (long pid : processes.pids().values()) {
      CpuSamples.start(pid);
    }
    return new BudgetRecordings(processes.pids(), folder);
  }

  /** A measured period begins. */
  void begin() throws IOException {
    for (Map.Entry<String, Long> process : pids.entrySet()) {
      begun.put(process.getKey(), ThreadTimes.read(process.getValue()));
    }
  }

  /** The measured period ends. */
  void end() throws IOException {
    for (Map.Entry<String, Long> process : pids.entrySet()) {
      String name = process.getKey();
      Map<Stage, Double> sum = measured.computeIfAbsent(name, n -> new HashMap<>());
      ThreadTimes.read(process.getValue())
          .since(begun.get(name))
          .forEach((stage, seconds) -> sum.merge(stage, seconds, Double::sum));
    }
  }

  void stop() throws IOException, InterruptedException {
    for (Map.Entry<String, Long> process : pids.entrySet()) {
      CpuSamples.stop(process.getValue(), file(process.getKey()));
    }
  }

  private Path file(String process) {
    return folder.resolve(process + ".jfr").toAbsolutePath();
  }

  /** The budgets of the measured periods, by process. */
  Map<String, CpuBudget> budgets(List<Window> windows) throws IOException {
    Map<String, CpuBudget> budgets = new HashMap<>();
    for (String process : pids.keySet()) {
      budgets.put(
          process, CpuBudget.of(measured.get(process), CpuSamples.byStage(file(process), windows)));
    }
    return budgets;
  }

  /** CPU time in nanoseconds by innermost method, of all processes. */
  Map<String, Long> methodsOf(List<Window> windows, Stage stage) throws IOException {
    Map<String, Long> nanos = new HashMap<>();
    for (String process : pids.keySet()) {
      CpuSamples.methodsOf(file(process), windows, stage)
          .forEach((method, time) -> nanos.merge(method, time, Long::sum));
    }
    return nanos;
  }

  static String text(List<Double> seconds) {
    return seconds.stream()
        .map(value -> String.format(Locale.ROOT, "%.2f", value))
        .collect(Collectors.joining(", "));
  }
}
