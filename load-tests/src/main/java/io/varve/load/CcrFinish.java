package io.varve.load;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * Measures for each track the time from the last ack until a follower has all operations: first
 * with appended documents, then with documents of which a quarter overwrites others. After each
 * run, leader and follower must have the same operations and documents.
 */
final class CcrFinish {

  static final double CONFLICTS = 0.25;

  private static final long POLL_MILLIS = 1;
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(10);

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
            "documents",
            "runs",
            "docs/s",
            "follower done after p50 ms",
            "p95 ms",
            "max ms"));
  }

  void run(CcrPair pair, String link, List<CcrTrack> tracks)
      throws IOException, InterruptedException {
    for (CcrTrack track : tracks) {
      int documents = track.documents(options.documents());
      List<byte[]> appended = track.bodies(documents);
      row(pair, link, track.label(), track, new Work(appended, documents, documents));
      CcrTrack.Conflicting conflicting = track.conflicting(documents, CONFLICTS);
      row(
          pair,
          link,
          track.label() + ", 25% conflicts",
          track,
          new Work(conflicting.bodies(), documents, conflicting.ids()));
    }
  }

  /**
   * The documents that one run writes.
   *
   * @param documents the number of different documents
   */
  private record Work(List<byte[]> bodies, int operations, int documents) {}

  private void row(CcrPair pair, String link, String label, CcrTrack track, Work work)
      throws IOException, InterruptedException {
    Latencies finished = new Latencies();
    Samples rates = new Samples();
    for (int round = 0; round < options.warmUp() + options.runs(); round++) {
      pair.recreate(track.shape(), layout);
      long begunNanos = System.nanoTime();
      send(pair.leader(), track, work.bodies());
      long ackedNanos = System.nanoTime();
      long doneNanos = awaitAll(pair.follower(), work.operations(), layout.shards());
      pair.checkEqual(layout.shards(), work.operations(), work.documents());
      System.err.printf(
          Locale.ROOT,
          "%s %s run %d: done after %.1f ms%n",
          pair.leader().name(),
          label,
          round,
          (doneNanos - ackedNanos) / 1e6);
      if (round >= options.warmUp()) {
        finished.add(doneNanos - ackedNanos);
        rates.add(Math.round(work.operations() * 1e9 / (ackedNanos - begunNanos)));
      }
    }
    CopiesBench.row(
        pair.leader().name(),
        link.isEmpty() ? "none" : link,
        label,
        work.operations(),
        finished.count(),
        rates.quantile(0.5),
        finished.quantile(0.5),
        finished.quantile(0.95),
        finished.quantile(1));
  }

  private void send(MeasuredServer leader, CcrTrack track, List<byte[]> bodies) throws IOException {
    new BulkRun(track.shape(), Copies.NONE, 0, track.documentsPerBulk(), options.clients(), "1s")
        .send(leader, CcrPair.INDEX, bodies, new Latencies());
  }

  /** Returns the time of the first answer that shows all operations. */
  static long awaitAll(MeasuredServer follower, long operations, int shards)
      throws IOException, InterruptedException {
    String index = CcrPair.followerIndex(1);
    long deadline = System.nanoTime() + LIMIT_NANOS;
    try (HttpConnection connection = follower.connect()) {
      while (true) {
        HttpConnection.Answer answer =
            connection.call("GET", Checkpoints.path(index), "application/json", new byte[0]);
        long now = System.nanoTime();
        JsonNode stats = MeasuredServer.JSON.readTree(answer.body());
        long held = Checkpoints.operations(stats, index, shards).orElse(0);
        if (held >= operations) {
          return now;
        }
        if (now - deadline > 0) {
          throw new IOException(
              "the follower holds %,d of %,d operations".formatted(held, operations));
        }
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      }
    }
  }
}
