package io.varve.load;

import io.varve.load.SelectionRun.Load;
import io.varve.load.SelectionRun.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * {@code bench ars}: searches of a cluster of five small data nodes, of which one is ill, by each
 * way to choose copies. Five shards of two copies each, so that every search has parts on every
 * node; all ways are measured in each round, and ratios are to the same round's healthy cluster by
 * the first way, copies that take turns without hedges.
 *
 * <pre>
 *   --documents N (20000)    --clients N (6)   --runs N (3)   --seconds N (10) a measurement
 *   --strategies a,b         (round_robin,ars,adaptive,adaptive+hedge)
 *   --illnesses a,b          (healthy,stop4,stop13,cpu,onset,recovery): see {@link SelectionCase}
 *   --load PERCENT (65)      of what the healthy cluster can do, of two servers the slower one
 *   --loop open|closed       (open) searches come when they are due, or clients pause between them
 *   --warm-up N (30)         three seconds each at most, until the rate without pauses is steady
 *   --heap SIZE (256m)       of each process
 * </pre>
 *
 * <p>Of a peer's processes, {@code --peer-pids}, the last falls ill; it is not the one of {@code
 * --peer-url}. It is measured with its adaptive selection off and on, and never killed.
 */
final class SelectionBench {

  private static final int NODES = 5;
  private static final String INDEX = "bench-ars";
  private static final double SETTLE_SECONDS = 2;
  private static final double ILL_BEFORE_RECOVERY_SECONDS = 8;
  private static final double TRANSITION_SECONDS = 10;
  private static final double WARM_UP_SECONDS = 3;
  private static final int WARM_UP_LEAST = 12;
  private static final double STEADY = 0.05;
  private static final double SHARE_AGAIN_PERCENT = 0.8 * 100 / NODES;
  private static final int BACK_WITHIN_SECONDS = 180;

  private final Options options;
  private final Map<String, List<Result>> results = new LinkedHashMap<>();
  private final Map<String, Double> rates = new LinkedHashMap<>();

  SelectionBench(Options options) {
    this.options = options.or("--heap", "256m");
  }

  /** One way to choose, on one server. */
  private record Way(Server server, String strategy) {

    String name() {
      return server.name() + " " + strategy;
    }

    boolean isPeer() {
      return server.name().equals("peer");
    }
  }

  void run() throws IOException, InterruptedException {
    List<SelectionCase> cases =
        Arrays.stream(
                options.text("--illnesses", "healthy,stop4,stop13,cpu,onset,recovery").split(","))
            .map(SelectionCase::of)
            .toList();
    String restart = cases.stream().anyMatch(SelectionCase::kills) ? "always" : "never";
    try (Servers servers = Servers.of(options, NODES, 0, restart)) {
      List<Way> ways = new ArrayList<>();
      for (Server server : servers.all()) {
        load(server);
        ways.addAll(ways(server));
        // Each way warms code of its own; the rate is that of the first, after all of them.
        for (Way way : ways(server).reversed()) {
          rates.put(server.name(), steadyRate(way));
        }
      }
      // Whoever was killed is cold for a while: that comes last.
      rounds(ways, cases.stream().filter(what -> !what.kills()).toList());
      rounds(ways, cases.stream().filter(SelectionCase::kills).toList());
      print();
    }
  }

  private void rounds(List<Way> ways, List<SelectionCase> cases)
      throws IOException, InterruptedException {
    for (int round = 0; round < options.number("--runs", 3); round++) {
      for (SelectionCase what : cases) {
        for (Way way : ways) {
          if (!way.isPeer() || !what.kills()) {
            Result result = measured(way, what);
            System.err.printf(
                Locale.ROOT, "round %d %s %s: %s%n", round, what.text(), way.name(), result);
            results.computeIfAbsent(key(what, way), _ -> new ArrayList<>()).add(result);
          }
        }
      }
    }
  }

  private static String key(SelectionCase what, Way way) {
    return what.text() + " " + way.name();
  }

  private List<Way> ways(Server server) {
    String strategies =
        server.name().equals("peer")
            ? "off,on"
            : options.text("--strategies", "round_robin,ars,adaptive,adaptive+hedge");
    return Arrays.stream(strategies.split(",")).map(name -> new Way(server, name)).toList();
  }

  private void load(Server server) throws IOException, InterruptedException {
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
    int documents = options.number("--documents", 20_000);
    BulkRun loading = new BulkRun(shape, Copies.NONE, documents, 1000, 2, "1s");
    loading.send(server, INDEX, loading.bodies(), new Latencies());
    server.call("POST", "/" + INDEX + "/_refresh", "");
    server.call("POST", "/" + INDEX + "/_forcemerge?max_num_segments=1", "");
    awaitGreen(server);
  }

  private static void awaitGreen(Server server) throws IOException {
    server.call("GET", "/_cluster/health/" + INDEX + "?wait_for_status=green&timeout=60s", "");
  }

  /** Searches a second without pauses, of warm code: the rate of three spans is the same. */
  private double steadyRate(Way way) throws IOException, InterruptedException {
    choose(way);
    double earlier = 0;
    double before = 0;
    double now = 0;
    for (int i = 0; i < options.number("--warm-up", 30); i++) {
      earlier = before;
      before = now;
      now = runFor(way, WARM_UP_SECONDS, unpaused()).searchesPerSecond();
      System.err.printf(Locale.ROOT, "%s: %.0f searches/s without pauses%n", way.name(), now);
      if (i >= WARM_UP_LEAST - 1 && steady(earlier, now) && steady(before, now)) {
        break;
      }
    }
    return now;
  }

  private static boolean steady(double before, double now) {
    return Math.abs(now - before) <= STEADY * before;
  }

  private Load unpaused() {
    return new Load.Closed(options.number("--clients", 6), 0);
  }

  private Load load(Way way, SelectionCase what) {
    // The same for all servers.
    double slowest = Collections.min(rates.values());
    double rate = options.number("--load", 65) / 100.0 * slowest;
    int clients = options.number("--clients", 6);
    if (what.saturated()) {
      return unpaused();
    }
    // A client's searches take a part of its time; what is left of it are the pauses.
    return options.text("--loop", "open").equals("open")
        ? new Load.Open(rate)
        : new Load.Closed(
            clients, Math.max(0, clients / rate - clients / rates.get(way.server.name())));
  }

  private Result runFor(Way way, double seconds, Load load)
      throws IOException, InterruptedException {
    return new SelectionRun(INDEX, seconds, load)
        .on(way.server, new SplittableRandom(results.size()));
  }

  private Result measured(Way way, SelectionCase what) throws IOException, InterruptedException {
    choose(way);
    Load load = load(way, what);
    Victim victim = Victim.of(way.server);
    double seconds = options.number("--seconds", 10);
    return switch (what) {
      case HEALTHY, STOP4, STOP13, CPU, DISK, SATURATED, SATURATED_STOP4, SATURATED_HEALTHY -> {
        try (Illness _ = new Illness(what.illness(), victim.pid)) {
          runFor(way, SETTLE_SECONDS, load);
          yield watched(way, victim, seconds, load);
        }
      }
      case ONSET -> {
        runFor(way, SETTLE_SECONDS, load);
        try (Illness _ = new Illness(what.illness(), victim.pid)) {
          yield watched(way, victim, TRANSITION_SECONDS, load);
        }
      }
      case RECOVERY -> {
        try (Illness _ = new Illness(what.illness(), victim.pid)) {
          runFor(way, ILL_BEFORE_RECOVERY_SECONDS, load);
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
    try (SelectionWatch watch = new SelectionWatch(way.server, victim.nodeId)) {
      Result result = runFor(way, seconds, load);
      return result.with(watch.counts(), watch.secondsUntil(SHARE_AGAIN_PERCENT));
    }
  }

  /** A node that will be ill. */
  private record Victim(String nodeId, long pid) {

    static Victim of(Server server) throws IOException {
      Victim found = find(server, server.processes());
      if (found == null) {
        throw new IOException("no node is the process that is to be ill");
      }
      return found;
    }

    /** By its name, as its process may have been started again; or by its process. */
    static @Nullable Victim find(Server server, Processes processes) throws IOException {
      JsonNode nodes = server.call("GET", "/_nodes/process", "").path("nodes");
      for (var node : nodes.properties()) {
        long pid = node.getValue().at("/process/id").asLong();
        if (node.getValue().path("name").asString("").equals(processes.victimName())
            || pid == processes.victim()) {
          return new Victim(node.getKey(), pid);
        }
      }
      return null;
    }

    void kill() {
      ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  /** Another process is that node, and all copies are there. */
  private static void awaitBack(Server server, Victim killed)
      throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(BACK_WITHIN_SECONDS);
    while (true) {
      Victim now = Victim.find(server, server.processes());
      if (now != null && now.pid != killed.pid) {
        awaitGreen(server);
        return;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("the node that was killed is not back");
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

  private void print() {
    System.out.printf(
        "%d data nodes, %d shards of 2 copies, %d %% load (%s), %d s a measurement, median of %d%n",
        NODES,
        NODES,
        options.number("--load", 65),
        options.text("--loop", "open"),
        options.number("--seconds", 10),
        options.number("--runs", 3));
    rates.forEach((server, rate) ->
        System.out.printf(
            Locale.ROOT,
            "%s: %.0f searches/s without pauses, %d clients%n",
            server,
            rate,
            options.number("--clients", 6)));
    CopiesBench.head(
        List.of(
            "illness",
            "server",
            "strategy",
            "searches/s",
            "p50 ms",
            "p90 ms",
            "p99 ms",
            "searches/s to healthy",
            "p50",
            "p90",
            "p99",
            "ill node's share %",
            "extra %",
            "failed per search",
            "back after s",
            "errors"));
    results.forEach(this::row);
  }

  private void row(String key, List<Result> runs) {
    String[] names = key.split(" ");
    SelectionCase what = SelectionCase.of(names[0]);
    String base =
        names[1].equals("peer") ? "off" : options.text("--strategies", "round_robin").split(",")[0];
    List<Result> healthy = results.get(what.healthy().text() + " " + names[1] + " " + base);
    CopiesBench.row(
        names[0],
        names[1],
        names[2],
        Figures.median(runs, Result::searchesPerSecond),
        Figures.median(runs, Result::p50Millis),
        Figures.median(runs, Result::p90Millis),
        Figures.median(runs, Result::p99Millis),
        Figures.pairedRatio(runs, healthy, Result::searchesPerSecond),
        Figures.pairedRatio(runs, healthy, Result::p50Millis),
        Figures.pairedRatio(runs, healthy, Result::p90Millis),
        Figures.pairedRatio(runs, healthy, Result::p99Millis),
        median(runs, result -> result.spent().victimPercent()),
        median(runs, result -> result.spent().extraPercent()),
        median(runs, result -> result.failuresPerSearch(NODES)),
        what == SelectionCase.RECOVERY ? median(runs, Result::backSeconds) : "",
        (int) runs.stream().mapToDouble(Result::errors).sum());
  }

  private static String median(List<Result> runs, ToDoubleFunction<Result> figure) {
    double value = Figures.median(runs, figure);
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.2f", value);
  }
}
