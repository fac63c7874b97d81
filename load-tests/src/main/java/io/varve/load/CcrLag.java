package io.varve.load;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * Samples the lag of the follower under a paced load: the difference of the checkpoints, and the
 * highest {@code lag_millis} of a shard. The follower is queried first, so the difference includes
 * operations that the leader wrote in between.
 */
final class CcrLag {

  private static final long PERIOD_MILLIS = 100;

  /** A load and its total number of documents. */
  private record Load(String label, CcrTrack track, List<byte[]> bodies) {}

  private final BenchOptions options;
  private final CcrPair.Layout layout;
  private final int seconds;

  CcrLag(BenchOptions options, CcrPair.Layout layout, int seconds) {
    this.options = options;
    this.layout = layout;
    this.seconds = seconds;
  }

  void run(CcrPair pair, double documentsPerSecond) throws IOException, InterruptedException {
    CopiesBench.head(
        List.of(
            "pair",
            "load",
            "docs/s",
            "samples",
            "behind p50 operations",
            "p99",
            "lag p50 ms",
            "p99 ms"));
    CcrTrack track = CcrTrack.HTTP_LOGS;
    List<byte[]> appended = track.bodies(track.documents(options.documents()));
    sample(pair, new Load("appended", track, appended), documentsPerSecond);
    // Bulks are not sent twice, because all their ids would repeat.
    int conflicting = (int) (documentsPerSecond * (seconds + 1)) + track.documentsPerBulk();
    List<byte[]> bodies = track.conflicting(conflicting, CcrLoad.CONFLICTS).bodies();
    sample(pair, new Load("25% conflicts", track, bodies), documentsPerSecond);
  }

  private void sample(CcrPair pair, Load load, double documentsPerSecond)
      throws IOException, InterruptedException {
    pair.recreate(load.track().shape(), layout);
    Samples behind = new Samples();
    Samples lagMillis = new Samples();
    int documentsPerBulk = load.track().documentsPerBulk();
    int sent;
    try (ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        PacedClients paced =
            new PacedClients(
                pair.leader(),
                CcrPair.INDEX,
                load.bodies(),
                documentsPerSecond / documentsPerBulk,
                options.clients())) {
      var sampling =
          timer.scheduleWithFixedDelay(
              () -> sample(pair, behind, lagMillis),
              PERIOD_MILLIS,
              PERIOD_MILLIS,
              TimeUnit.MILLISECONDS);
      TimeUnit.SECONDS.sleep(seconds);
      sampling.cancel(false);
      sent = paced.sent();
    }
    CopiesBench.row(
        pair.leader().name(),
        load.label(),
        (double) sent * documentsPerBulk / seconds,
        behind.count(),
        behind.quantile(0.5),
        behind.quantile(0.99),
        lagMillis.quantile(0.5),
        lagMillis.quantile(0.99));
  }

  private void sample(CcrPair pair, Samples behind, Samples lagMillis) {
    try {
      String index = CcrPair.followerIndex(1);
      JsonNode stats = pair.follower().call("GET", "/" + index + "/_ccr/stats", "");
      OptionalLong held = Checkpoints.operations(pair.follower(), index, layout.shards());
      OptionalLong written = Checkpoints.operations(pair.leader(), CcrPair.INDEX, layout.shards());
      if (held.isPresent() && written.isPresent()) {
        behind.add(Math.max(0, written.getAsLong() - held.getAsLong()));
      }
      long lag = lagMillis(stats);
      if (lag >= 0) {
        lagMillis.add(lag);
      }
    } catch (IOException | RuntimeException e) {
      System.err.println("bench: failed to sample the follower: " + e.getMessage());
    }
  }

  /** Returns the largest lag of a shard; -1 if the server does not report it. */
  static long lagMillis(JsonNode stats) {
    long lag = -1;
    for (JsonNode shard : stats.path("indices").path(0).path("shards")) {
      lag = Math.max(lag, shard.path("lag_millis").asLong(-1));
    }
    return lag;
  }
}
