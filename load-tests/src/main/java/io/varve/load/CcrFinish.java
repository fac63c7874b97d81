package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures for each track the time from the last ack until a follower has all operations: with
 * appended documents, and with documents of which a quarter overwrites others. Each of these is
 * sent as fast as the clients can, and then at a share of the rate that the pair sustained. The
 * second shows the latency of replication where both clusters share the CPUs of one machine.
 *
 * <p>After each run, leader and follower must have the same operations and documents.
 */
final class CcrFinish {

  private final BenchOptions options;
  private final CcrPair.Layout layout;

  CcrFinish(BenchOptions options, CcrPair.Layout layout) {
    this.options = options;
    this.layout = layout;
  }

  static void head() {
    CopiesBench.head(
        List.of(
            "pair",
            "link",
            "track",
            "rate",
            "documents",
            "runs",
            "docs/s",
            "docs/s until the follower is done",
            "follower done after p50 ms",
            "p95 ms",
            "max ms"));
  }

  void run(CcrPair pair, String link, List<CcrTrack> tracks)
      throws IOException, InterruptedException {
    for (CcrTrack track : tracks) {
      for (CcrLoad load :
          List.of(
              CcrLoad.appended(track, options.documents()),
              CcrLoad.conflicting(track, options.documents()))) {
        double sustained = row(pair, link, load, Double.POSITIVE_INFINITY);
        row(pair, link, load, CcrBench.SHARE_OF_SATURATION * sustained);
      }
    }
  }

  /** Returns the documents per second until the follower held them. */
  private double row(CcrPair pair, String link, CcrLoad load, double documentsPerSecond)
      throws IOException, InterruptedException {
    List<CcrLoad.Times> runs = new ArrayList<>();
    Latencies finished = new Latencies();
    for (int round = 0; round < options.warmUp() + options.runs(); round++) {
      CcrLoad.Times times =
          load.run(pair, layout, options.clients(), documentsPerSecond, LoadClock.SYSTEM);
      pair.checkEqual(layout.shards(), load.operations(), load.documents());
      System.err.printf(
          Locale.ROOT,
          "%s %s run %d: done after %.1f ms%n",
          pair.leader().name(),
          load.label(),
          round,
          times.finishMillis());
      if (round >= options.warmUp()) {
        runs.add(times);
        finished.add(Math.round(times.finishMillis() * 1e6));
      }
    }
    double sustained = RunStats.median(runs, times -> load.operations() / times.heldSeconds());
    CopiesBench.row(
        pair.leader().name(),
        link.isEmpty() ? "none" : link,
        load.label(),
        Double.isInfinite(documentsPerSecond) ? "unlimited" : "80%",
        load.operations(),
        finished.count(),
        Math.round(RunStats.median(runs, times -> load.operations() / times.ackedSeconds())),
        Math.round(sustained),
        finished.quantile(0.5),
        finished.quantile(0.95),
        finished.quantile(1));
    return sustained;
  }
}
