package io.varve.load;

import io.varve.load.budget.CpuBudget;
import io.varve.load.budget.CpuSamples.Window;
import io.varve.load.budget.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench budget}: the CPU seconds that 100,000 documents of a bulk load cost, by process and
 * by stage.
 *
 * <p>Java code is sampled by its CPU time in the counted rounds only, so the compilers must have
 * finished before: at least ten rounds of warm-up. A peer is loaded in turn and measured as a
 * whole. The bench fails if the stages do not add up to the CPU time of the processes.
 */
@Command(
    name = "budget",
    description = "Measures the CPU time of a bulk load by process and stage.",
    sortOptions = false)
final class BudgetBench implements Callable<Integer> {

  /** Of the whole CPU time; the clocks of processes tick 100 times per second. */
  private static final double TOLERANCE = 0.05;

  private static final double TOLERATED_SECONDS = 0.2;

  @Mixin private BenchOptions options = new BenchOptions(100_000, 4, 5, 10);

  @Option(
      names = "--server",
      paramLabel = "cluster|up",
      defaultValue = "cluster",
      description = "a process for each service, or one for all (default: ${DEFAULT-VALUE})")
  private ServerKind server;

  @Option(
      names = "--shape",
      paramLabel = "taxis|logs",
      defaultValue = "taxis",
      description = "shape of the documents (default: ${DEFAULT-VALUE})")
  private Shape shape;

  @Option(
      names = "--replicas",
      paramLabel = "segment|document|none",
      defaultValue = "segment",
      description = "the replica of the shard (default: ${DEFAULT-VALUE})")
  private Replicas replicas;

  @Option(
      names = "--bulk",
      paramLabel = "N",
      defaultValue = "1000",
      description = "documents per bulk (default: ${DEFAULT-VALUE})")
  private int documentsPerBulk;

  @Option(
      names = "--methods",
      paramLabel = "N",
      defaultValue = "0",
      description = "prints the innermost methods of each stage with the most CPU time")
  private int methods;

  @Option(
      names = "--recordings",
      paramLabel = "DIR",
      description = "keeps the recordings of the processes in DIR")
  private Optional<Path> recordings = Optional.empty();

  private final List<Window> windows = new ArrayList<>();
  private final List<Double> totals = new ArrayList<>();
  private final List<Double> peerTotals = new ArrayList<>();

  private BudgetBench() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path folder =
        recordings.isPresent()
            ? Files.createDirectories(recordings.get())
            : Files.createTempDirectory("varve-budget");
    try (Servers servers = Servers.of(options, server)) {
      measure(servers.all(), folder);
    } finally {
      if (recordings.isEmpty()) {
        TemporaryFolders.delete(folder);
      }
    }
    return 0;
  }

  private BulkRun load() {
    return new BulkRun(
        shape, replicas.copies(), options.documents(), documentsPerBulk, options.clients(), "1s");
  }

  private void measure(List<MeasuredServer> servers, Path folder)
      throws IOException, InterruptedException {
    BulkRun load = load();
    List<byte[]> bodies = load.bodies();
    for (int round = 0; round < options.warmUp(); round++) {
      for (MeasuredServer server : servers) {
        System.err.printf("%s warm-up %d: %s%n", server.name(), round, load.on(server, bodies));
      }
    }
    MeasuredServer varve = servers.getFirst();
    BudgetRecordings budgets = BudgetRecordings.start(varve.processes(), folder);
    for (int round = 0; round < options.runs(); round++) {
      budgets.begin();
      double before = varve.processes().cpuSeconds();
      Instant began = LoadClock.SYSTEM.now();
      System.err.printf("%s run %d: %s%n", varve.name(), round, load.on(varve, bodies));
      windows.add(new Window(began, LoadClock.SYSTEM.now()));
      totals.add(varve.processes().cpuSeconds() - before);
      budgets.end();
      for (MeasuredServer peer : servers.subList(1, servers.size())) {
        double peerBefore = peer.processes().cpuSeconds();
        System.err.printf("%s run %d: %s%n", peer.name(), round, load.on(peer, bodies));
        peerTotals.add(peer.processes().cpuSeconds() - peerBefore);
      }
    }
    budgets.stop();
    Map<String, CpuBudget> byProcess = new TreeMap<>(budgets.budgets(windows));
    print(byProcess);
    if (methods > 0) {
      printMethods(budgets);
    }
    check(byProcess);
  }

  private double per100k(double seconds) {
    return seconds * 100_000 / options.documents() / options.runs();
  }

  private void print(Map<String, CpuBudget> byProcess) {
    System.out.printf(
        "%s, %,d documents a run, bulks of %d, %d clients, replica %s, %d runs after %d of warm-up,"
            + " CPU s per 100,000 documents%n%n",
        shape,
        options.documents(),
        documentsPerBulk,
        options.clients(),
        replicas,
        options.runs(),
        options.warmUp());
    System.out.println("| stage | all | " + String.join(" | ", byProcess.keySet()) + " |");
    System.out.println("|---|---|" + "---|".repeat(byProcess.size()));
    for (Stage stage : Stage.values()) {
      row(stage.label(), byProcess.values().stream().map(budget -> budget.of(stage)).toList());
    }
    row("**total**", byProcess.values().stream().map(CpuBudget::total).toList());
    System.out.printf(
        "%nRounds, CPU s per 100,000 documents: %s%n", BudgetRecordings.text(perRound(totals)));
    if (!peerTotals.isEmpty()) {
      System.out.printf(
          "Peer: %s; documents per CPU s relative to it: %s%n",
          BudgetRecordings.text(perRound(peerTotals)),
          RunStats.pairedRatio(totals, peerTotals, seconds -> 1 / seconds));
    }
    byProcess.forEach((name, budget) ->
        System.out.printf(
            Locale.ROOT,
            "%s: samples stand for %.0f%% of the CPU time of Java code%n",
            name,
            100 * budget.sampledShare()));
  }

  private List<Double> perRound(List<Double> seconds) {
    return seconds.stream().map(s -> s * 100_000 / options.documents()).toList();
  }

  private void row(String label, List<Double> seconds) {
    double sum = seconds.stream().mapToDouble(Double::doubleValue).sum();
    StringBuilder row =
        new StringBuilder(String.format(Locale.ROOT, "| %s | %.3f |", label, per100k(sum)));
    seconds.forEach(s -> row.append(String.format(Locale.ROOT, " %.3f |", per100k(s))));
    System.out.println(row);
  }

  private void printMethods(BudgetRecordings budgets) throws IOException {
    for (Stage stage : Stage.values()) {
      Map<String, Long> nanos = budgets.methodsOf(windows, stage);
      if (!nanos.isEmpty()) {
        System.out.printf("%n%s%n", stage.label());
      }
      nanos.entrySet().stream()
          .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
          .limit(methods)
          .forEach(method ->
              System.out.printf(
                  Locale.ROOT, "  %.3f %s%n", per100k(method.getValue() / 1e9), method.getKey()));
    }
  }

  /** Compares the stages with the CPU time of all processes, which was read independently. */
  private void check(Map<String, CpuBudget> byProcess) {
    double stages = byProcess.values().stream().mapToDouble(CpuBudget::total).sum();
    double measured = totals.stream().mapToDouble(Double::doubleValue).sum();
    if (Math.abs(stages - measured) > TOLERANCE * measured + TOLERATED_SECONDS) {
      throw new IllegalStateException(
          "the stages add up to " + stages + " s, the processes used " + measured + " s");
    }
    byProcess.forEach((name, budget) -> {
      if (name.startsWith(MeasuredServer.SHARD_SERVICE) && budget.sampledShare() < 0.5) {
        throw new IllegalStateException(
            "samples stand for " + budget.sampledShare() + " of the Java code of " + name);
      }
    });
  }
}
