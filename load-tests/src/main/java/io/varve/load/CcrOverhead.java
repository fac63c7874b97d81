package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Measures the leader's CPU time under a paced load without a follower, with one and with three. A
 * run ends when all followers hold all operations. Runs of these are interleaved. The CPU time of
 * the brokers is shown separately, and that of each kind of process.
 *
 * <p>Compilers use most of the CPU in the first rounds, so many rounds are not counted.
 */
final class CcrOverhead {

  private static final int[] FOLLOWERS = {0, 1, CcrPair.MAX_FOLLOWERS};
  private static final CcrTrack TRACK = CcrTrack.HTTP_LOGS;

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
    Map<Integer, List<ProcessCosts>> results = new LinkedHashMap<>();
    for (int round = 0; round < warmUp + options.runs(); round++) {
      for (int followers : FOLLOWERS) {
        ProcessCosts costs = measure(pair, followers, bodies, documentsPerSecond);
        System.err.printf(Locale.ROOT, "%d followers run %d: %s%n", followers, round, costs);
        if (round >= warmUp) {
          results.computeIfAbsent(followers, _ -> new ArrayList<>()).add(costs);
        }
      }
    }
    print(pair.leader().name(), results);
  }

  private ProcessCosts measure(
      CcrPair pair, int followers, List<byte[]> bodies, double documentsPerSecond)
      throws IOException, InterruptedException {
    pair.recreate(TRACK.shape(), new CcrPair.Layout(layout.shards(), layout.replicas(), followers));
    Map<String, Double> before = pair.leader().processes().cpuSecondsByKind();
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
    for (int i = 1; i <= followers; i++) {
      Checkpoints.awaitOperations(
          pair.follower(),
          CcrPair.followerIndex(i),
          (long) sent * TRACK.documentsPerBulk(),
          layout.shards(),
          LoadClock.SYSTEM);
    }
    return ProcessCosts.of(
        (long) sent * TRACK.documentsPerBulk(),
        (System.nanoTime() - begunNanos) / 1e9,
        before,
        pair.leader().processes().cpuSecondsByKind());
  }

  private static void print(String pair, Map<Integer, List<ProcessCosts>> results) {
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
    List<ProcessCosts> none = results.get(0);
    results.forEach((followers, runs) ->
        CopiesBench.row(
            pair,
            followers,
            RunStats.median(runs, ProcessCosts::documentsPerSecond),
            twoDecimals(RunStats.median(runs, ProcessCosts::nodesPer100k)),
            RunStats.pairedRatio(runs, none, ProcessCosts::nodesPer100k),
            twoDecimals(RunStats.median(runs, ProcessCosts::brokersPer100k)),
            RunStats.pairedRatio(runs, none, ProcessCosts::brokersPer100k),
            byKind(runs)));
  }

  /** The median of each kind of process. */
  private static String byKind(List<ProcessCosts> runs) {
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
