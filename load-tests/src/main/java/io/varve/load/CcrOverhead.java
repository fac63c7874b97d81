package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures the leader's CPU time under a paced load without a follower, with one and with three.
 * Runs of these are interleaved. The CPU time of the brokers is shown separately.
 */
final class CcrOverhead {

  private static final int[] FOLLOWERS = {0, 1, 3};
  private static final CcrTrack TRACK = CcrTrack.HTTP_LOGS;

  /** CPU seconds of the leader's processes per 100,000 documents. */
  record Costs(double documentsPerSecond, double nodesPer100k, double brokersPer100k) {

    static Costs of(long documents, double seconds, double nodeSeconds, double brokerSeconds) {
      return new Costs(
          documents / seconds, nodeSeconds * 1e5 / documents, brokerSeconds * 1e5 / documents);
    }
  }

  private final BenchOptions options;
  private final CcrPair.Layout layout;
  private final int seconds;

  CcrOverhead(BenchOptions options, CcrPair.Layout layout, int seconds) {
    this.options = options;
    this.layout = layout;
    this.seconds = seconds;
  }

  void run(CcrPair pair, double documentsPerSecond) throws IOException, InterruptedException {
    List<byte[]> bodies = TRACK.bodies(TRACK.documents(options.documents()));
    Map<Integer, List<Costs>> results = new LinkedHashMap<>();
    for (int round = 0; round < options.warmUp() + options.runs(); round++) {
      for (int followers : FOLLOWERS) {
        Costs costs = measure(pair, followers, bodies, documentsPerSecond);
        System.err.printf(Locale.ROOT, "%d followers run %d: %s%n", followers, round, costs);
        if (round >= options.warmUp()) {
          results.computeIfAbsent(followers, _ -> new ArrayList<>()).add(costs);
        }
      }
    }
    print(pair.leader().name(), results);
  }

  private Costs measure(CcrPair pair, int followers, List<byte[]> bodies, double documentsPerSecond)
      throws IOException, InterruptedException {
    pair.recreate(TRACK.shape(), new CcrPair.Layout(layout.shards(), layout.replicas(), followers));
    double nodesBefore = pair.nodeCpuSeconds();
    double brokersBefore = pair.brokerCpuSeconds();
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
        pair.nodeCpuSeconds() - nodesBefore,
        pair.brokerCpuSeconds() - brokersBefore);
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
            "ratio to none"));
    List<Costs> none = results.get(0);
    results.forEach((followers, runs) ->
        CopiesBench.row(
            pair,
            followers,
            RunStats.median(runs, Costs::documentsPerSecond),
            twoDecimals(RunStats.median(runs, Costs::nodesPer100k)),
            RunStats.pairedRatio(runs, none, Costs::nodesPer100k),
            twoDecimals(RunStats.median(runs, Costs::brokersPer100k)),
            RunStats.pairedRatio(runs, none, Costs::brokersPer100k)));
  }

  private static String twoDecimals(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
