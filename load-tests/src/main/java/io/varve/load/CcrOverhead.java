package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Measures the leader's CPU time under a paced load without a follower, with one and with three.
 * Runs of these are interleaved. The CPU time of the brokers is shown separately, and that of each
 * kind of process.
 *
 * <p>Compilers take most of the CPU in the first rounds, so there are many that are not counted.
 */
final class CcrOverhead {

  private static final int[] FOLLOWERS = {0, 1, 3};
  private static final CcrTrack TRACK = CcrTrack.HTTP_LOGS;

  /**
   * CPU seconds of the leader's processes per 100,000 documents.
   *
   * @param per100k by kind of process
   */
  record Costs(double documentsPerSecond, Map<String, Double> per100k) {

    /**
     * @param cpuSeconds by kind of process
     */
    static Costs of(long documents, double seconds, Map<String, Double> cpuSeconds) {
      Map<String, Double> per100k = new TreeMap<>();
      cpuSeconds.forEach((kind, used) -> per100k.put(kind, used * 1e5 / documents));
      return new Costs(documents / seconds, per100k);
    }

    double brokersPer100k() {
      return per100k.getOrDefault(CcrPair.BROKER, Double.NaN);
    }

    double nodesPer100k() {
      return per100k.entrySet().stream()
          .filter(cost -> !cost.getKey().equals(CcrPair.BROKER))
          .mapToDouble(Map.Entry::getValue)
          .sum();
    }
  }

  private final BenchOptions options;
  private final CcrPair.Layout layout;
  private final int seconds;
  private final int warmUp;

  /**
   * @param warmUp rounds that are not counted, for each number of followers
   */
  CcrOverhead(BenchOptions options, CcrPair.Layout layout, int seconds, int warmUp) {
    this.options = options;
    this.layout = layout;
    this.seconds = seconds;
    this.warmUp = warmUp;
  }

  void run(CcrPair pair, double documentsPerSecond) throws IOException, InterruptedException {
    List<byte[]> bodies = TRACK.bodies(TRACK.documents(options.documents()));
    Map<Integer, List<Costs>> results = new LinkedHashMap<>();
    for (int round = 0; round < warmUp + options.runs(); round++) {
      for (int followers : FOLLOWERS) {
        Costs costs = measure(pair, followers, bodies, documentsPerSecond);
        System.err.printf(Locale.ROOT, "%d followers run %d: %s%n", followers, round, costs);
        if (round >= warmUp) {
          results.computeIfAbsent(followers, _ -> new ArrayList<>()).add(costs);
        }
      }
    }
    print(pair.leader().name(), results);
  }

  private Costs measure(CcrPair pair, int followers, List<byte[]> bodies, double documentsPerSecond)
      throws IOException, InterruptedException {
    pair.recreate(TRACK.shape(), new CcrPair.Layout(layout.shards(), layout.replicas(), followers));
    Map<String, Double> before = pair.cpuSeconds();
    long begunNanos = System.nanoTime();
    int sent;
    try (PacedClients load =
        new PacedClients(
            pair.leader(),
            CcrPair.INDEX,
            bodies,
            documentsPerSecond / TRACK.documentsPerBulk(),
            options.clients())) {
      TimeUnit.SECONDS.sleep(seconds);
      sent = load.sent();
    }
    return Costs.of(
        (long) sent * TRACK.documentsPerBulk(),
        (System.nanoTime() - begunNanos) / 1e9,
        used(before, pair.cpuSeconds()));
  }

  private static Map<String, Double> used(Map<String, Double> before, Map<String, Double> after) {
    Map<String, Double> used = new TreeMap<>();
    after.forEach((kind, seconds) -> used.put(kind, seconds - before.getOrDefault(kind, 0.0)));
    return used;
  }

  private static void print(String pair, Map<Integer, List<Costs>> results) {
    CopiesBench.head(
        List.of(
            "pair",
            "followers",
            "docs/s",
            "leader CPU s/100k, brokers apart",
            "ratio to none",
            "brokers' CPU s/100k",
            "ratio to none",
            "CPU s/100k by process"));
    List<Costs> none = results.get(0);
    results.forEach((followers, runs) ->
        CopiesBench.row(
            pair,
            followers,
            RunStats.median(runs, Costs::documentsPerSecond),
            twoDecimals(RunStats.median(runs, Costs::nodesPer100k)),
            RunStats.pairedRatio(runs, none, Costs::nodesPer100k),
            twoDecimals(RunStats.median(runs, Costs::brokersPer100k)),
            RunStats.pairedRatio(runs, none, Costs::brokersPer100k),
            byKind(runs)));
  }

  /** The median of each kind of process. */
  private static String byKind(List<Costs> runs) {
    return runs.getFirst().per100k().keySet().stream()
        .map(kind ->
            kind
                + " "
                + twoDecimals(
                    RunStats.median(runs, costs -> costs.per100k().getOrDefault(kind, 0.0))))
        .collect(Collectors.joining(", "));
  }

  private static String twoDecimals(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
