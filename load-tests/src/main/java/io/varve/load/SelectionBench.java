package io.varve.load;

import io.varve.load.SelectionRun.Load;
import io.varve.load.SelectionRun.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench ars}: compares strategies for choosing the copies that searches use while one of
 * five small data nodes is impaired. The index has five shards with two copies each, so that a
 * search can involve every node. Each round measures all strategies. Ratios are relative to the
 * first strategy on the healthy cluster in the same round.
 *
 * <p>{@link SelectionCase} lists the impairments. The last process in {@code --peer-pids} is the
 * one that is impaired; it must not be the process behind {@code --peer-url}. The peer is measured
 * with its adaptive selection off and on, and its processes are never killed.
 */
@Command(
    name = "ars",
    description = "Measures searches while one node is impaired.",
    sortOptions = false)
final class SelectionBench implements Callable<Integer> {

  private static final int NODES = 5;
  private static final String INDEX = "bench-ars";
  private static final double SETTLE_SECONDS = 2;
  private static final double IMPAIRED_BEFORE_RECOVERY_SECONDS = 8;
  private static final double TRANSITION_SECONDS = 10;
  private static final double WARM_UP_SECONDS = 3;
  private static final int MIN_WARM_UP_ROUNDS = 12;
  private static final double STEADY_TOLERANCE = 0.05;
  private static final double RECOVERED_SHARE_PERCENT = 0.8 * 100 / NODES;
  private static final int RESTART_TIMEOUT_SECONDS = 180;

  /** The times at which searches are sent. */
  enum Loop {
    /** At times that do not depend on earlier responses. */
    OPEN,
    /** By clients that each wait for a response, then pause. */
    CLOSED
  }

  /**
   * The settings of a measurement.
   *
   * @param loadPercent the load, in percent of the throughput of the slowest healthy server
   */
  record Settings(
      int loadPercent, Loop loop, int seconds, int runs, int clients, List<String> strategies) {
    Settings {
      strategies = List.copyOf(strategies);
    }
  }

  @Mixin private BenchOptions options = new BenchOptions("256m", 20_000, 6, 3, 30);

  @Option(
      names = "--strategies",
      paramLabel = "NAME,...",
      split = ",",
      defaultValue = "round_robin,ars,adaptive,adaptive+hedge",
      description = "ways to choose copies (default: ${DEFAULT-VALUE})")
  private List<String> strategies;

  @Option(
      names = "--illnesses",
      paramLabel = "NAME,...",
      split = ",",
      defaultValue = "healthy,stop4,stop13,cpu,onset,recovery",
      converter = SelectionCase.Converter.class,
      description =
          "impairments: healthy, stop4, stop13, cpu, disk, onset, recovery, failing, restart,"
              + " saturated-healthy, saturated, saturated-stop4 (default: ${DEFAULT-VALUE})")
  private List<SelectionCase> cases;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "10",
      description = "seconds of a measurement (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(
      names = "--load",
      paramLabel = "PERCENT",
      defaultValue = "65",
      description =
          "load as a share of the throughput of the slowest healthy server (default:"
              + " ${DEFAULT-VALUE})")
  private int loadPercent;

  @Option(
      names = "--loop",
      paramLabel = "open|closed",
      defaultValue = "open",
      description =
          "whether searches arrive independently of answers, or clients pause between them"
              + " (default: ${DEFAULT-VALUE})")
  private Loop loop;

  @Option(
      names = "--coordinators",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "coordinators, which get the searches in turn; each ranks the nodes on its own (default:"
              + " ${DEFAULT-VALUE})")
  private int coordinators;

  private final Map<String, List<Result>> results = new LinkedHashMap<>();
  private final Map<String, Double> rates = new LinkedHashMap<>();

  private SelectionBench() {}

  /** A way to choose copies, on one server. */
  private record Way(MeasuredServer server, String strategy) {

    String name() {
      return server.name() + " " + strategy;
    }

    boolean isPeer() {
      return server.name().equals("peer");
    }
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    String restart = cases.stream().anyMatch(SelectionCase::kills) ? "always" : "never";
    SourceTables.ARS.print();
    try (Servers servers = Servers.of(options, coordinators, NODES, 0, restart)) {
      List<Way> ways = new ArrayList<>();
      for (MeasuredServer server : servers.all()) {
        load(server);
        ways.addAll(ways(server));
        // Every strategy needs a warm-up of its own code. The first strategy runs last, because its
        // rate is the rate of the server.
        for (Way way : ways(server).reversed()) {
          rates.put(server.name(), steadyRate(way));
        }
      }
      // A restarted process has cold caches, so cases that kill a process run last.
      rounds(ways, cases.stream().filter(selectionCase -> !selectionCase.kills()).toList());
      rounds(ways, cases.stream().filter(SelectionCase::kills).toList());
    }
    new SelectionReport(
            new Settings(loadPercent, loop, seconds, options.runs(), options.clients(), strategies),
            NODES)
        .print(rates, results);
    return 0;
  }

  private void rounds(List<Way> ways, List<SelectionCase> cases)
      throws IOException, InterruptedException {
    for (int round = 0; round < options.runs(); round++) {
      for (SelectionCase selectionCase : cases) {
        for (Way way : ways) {
          if (!way.isPeer() || !selectionCase.kills()) {
            Result result = measured(way, selectionCase);
            System.err.printf(
                Locale.ROOT,
                "round %d %s %s: %s%n",
                round,
                selectionCase.text(),
                way.name(),
                result);
            results.computeIfAbsent(key(selectionCase, way), _ -> new ArrayList<>()).add(result);
          }
        }
      }
    }
  }

  private static String key(SelectionCase selectionCase, Way way) {
    return selectionCase.text() + " " + way.name();
  }

  private List<Way> ways(MeasuredServer server) {
    List<String> names = server.name().equals("peer") ? List.of("off", "on") : strategies;
    return names.stream().map(name -> new Way(server, name)).toList();
  }

  private void load(MeasuredServer server) throws IOException, InterruptedException {
    Shape shape = Shape.TAXIS;
    server.call("DELETE", "/" + INDEX + "?ignore_unavailable=true", "");
    server.call(
        "PUT",
        "/" + INDEX,
        "{\"settings\":{\"number_of_shards\":"
            + NODES
            + ",\"number_of_replicas\":1,\"queries.cache.enabled\":false,\"requests.cache.enable\":false},\"mappings\":"
            + shape.mapping()
            + "}");
    awaitGreen(server);
    int documents = options.documents();
    BulkRun loading = new BulkRun(shape, Copies.NONE, documents, 1000, 2, "1s");
    loading.send(server, INDEX, loading.bodies(), new Latencies());
    server.call("POST", "/" + INDEX + "/_refresh", "");
    server.call("POST", "/" + INDEX + "/_forcemerge?max_num_segments=1", "");
    awaitGreen(server);
  }

  private static void awaitGreen(MeasuredServer server) throws IOException {
    server.call("GET", "/_cluster/health/" + INDEX + "?wait_for_status=green&timeout=60s", "");
  }

  /**
   * Measures the throughput in searches per second, until three successive spans have about the
   * same rate.
   */
  private double steadyRate(Way way) throws IOException, InterruptedException {
    choose(way);
    double earlier = 0;
    double before = 0;
    double now = 0;
    for (int i = 0; i < options.warmUp(); i++) {
      earlier = before;
      before = now;
      now = runFor(way, WARM_UP_SECONDS, unpaused()).searchesPerSecond();
      System.err.printf(Locale.ROOT, "%s: %.0f searches/s without pauses%n", way.name(), now);
      if (i >= MIN_WARM_UP_ROUNDS - 1 && steady(earlier, now) && steady(before, now)) {
        break;
      }
    }
    return now;
  }

  private static boolean steady(double before, double now) {
    return Math.abs(now - before) <= STEADY_TOLERANCE * before;
  }

  private Load unpaused() {
    return new Load.Closed(options.clients(), 0);
  }

  private Load load(Way way, SelectionCase selectionCase) {
    // All servers get the same load.
    double slowest = Collections.min(rates.values());
    double rate = loadPercent / 100.0 * slowest;
    int clients = options.clients();
    if (selectionCase.saturated()) {
      return unpaused();
    }
    // Clients pause for the time that is left between their searches at that rate.
    return loop == Loop.OPEN
        ? new Load.Open(rate)
        : new Load.Closed(
            clients, Math.max(0, clients / rate - clients / rates.get(way.server.name())));
  }

  private Result runFor(Way way, double seconds, Load load)
      throws IOException, InterruptedException {
    return new SelectionRun(INDEX, seconds, load)
        .on(way.server, new SplittableRandom(results.size()));
  }

  private Result measured(Way way, SelectionCase selectionCase)
      throws IOException, InterruptedException {
    choose(way);
    Load load = load(way, selectionCase);
    Victim victim = Victim.of(way.server);
    return switch (selectionCase) {
      case HEALTHY, STOP4, STOP13, CPU, DISK, SATURATED, SATURATED_STOP4, SATURATED_HEALTHY -> {
        try (Impairment _ = new Impairment(selectionCase.impairment(), victim.pid())) {
          runFor(way, SETTLE_SECONDS, load);
          yield watched(way, victim, seconds, load);
        }
      }
      case ONSET -> {
        runFor(way, SETTLE_SECONDS, load);
        try (Impairment _ = new Impairment(selectionCase.impairment(), victim.pid())) {
          yield watched(way, victim, TRANSITION_SECONDS, load);
        }
      }
      case RECOVERY -> {
        try (Impairment _ = new Impairment(selectionCase.impairment(), victim.pid())) {
          runFor(way, IMPAIRED_BEFORE_RECOVERY_SECONDS, load);
        }
        yield watched(way, victim, Math.max(seconds, TRANSITION_SECONDS), load);
      }
      case FAILING -> {
        runFor(way, SETTLE_SECONDS, load);
        victim.kill();
        Result failing = watched(way, victim, TRANSITION_SECONDS, load);
        awaitBack(way.server, victim);
        yield failing;
      }
      case RESTART -> {
        runFor(way, SETTLE_SECONDS, load);
        victim.kill();
        awaitBack(way.server, victim);
        yield watched(way, victim, TRANSITION_SECONDS, load);
      }
    };
  }

  private Result watched(Way way, Victim victim, double seconds, Load load)
      throws IOException, InterruptedException {
    try (SelectionSampler watch = new SelectionSampler(way.server, victim.nodeId())) {
      Result result = runFor(way, seconds, load);
      return result.with(watch.counts(), watch.secondsUntil(RECOVERED_SHARE_PERCENT));
    }
  }

  /** Waits until another process has the node's name and all copies are started. */
  private static void awaitBack(MeasuredServer server, Victim killed)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(RESTART_TIMEOUT_SECONDS);
    while (true) {
      Optional<Victim> restarted = Victim.find(server);
      if (restarted.isPresent() && restarted.get().pid() != killed.pid()) {
        awaitGreen(server);
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("the killed node was not restarted in time");
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static void choose(Way way) throws IOException {
    boolean hedged = way.strategy.endsWith("+hedge");
    String name = hedged ? way.strategy.replace("+hedge", "") : way.strategy;
    String settings =
        way.isPeer()
            ? "\"cluster.routing.use_adaptive_replica_selection\":" + name.equals("on")
            : "\"cluster.routing.replica_selection\":\""
                + name
                + "\",\"cluster.routing.hedging\":"
                + hedged;
    way.server.call("PUT", "/_cluster/settings", "{\"transient\":{" + settings + "}}");
  }
}
