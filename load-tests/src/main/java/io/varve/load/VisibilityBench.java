package io.varve.load;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time from a refresh of the primary until it is visible on the replicas: first at 80%
 * of the saturation throughput, then while a large merged segment is copied.
 */
final class VisibilityBench {

  private static final Copies COPIES = new Copies("SEGMENT", 2);
  private static final int DOCUMENTS_PER_BULK = 1000;
  private static final double SHARE_OF_SATURATION = 0.8;

  /** A low rate, to leave CPU for the merge. */
  private static final double BULKS_PER_SECOND_BESIDE_A_MERGE = 5;

  private final BenchOptions options;
  private final int seconds;
  private final int mergeMegabytes;

  VisibilityBench(BenchOptions options, int seconds, int mergeMegabytes) {
    this.options = options;
    this.seconds = seconds;
    this.mergeMegabytes = mergeMegabytes;
  }

  void run() throws IOException, InterruptedException {
    try (Servers servers = Servers.of(options, 1, 2, "always")) {
      MeasuredServer server = servers.all().getFirst();
      CopiesBench.head(List.of("load", "bulks/s", "samples", "lag p50 ms", "p99 ms"));
      underLoad(server);
      besideAMerge(server);
    }
  }

  private void underLoad(MeasuredServer server) throws IOException, InterruptedException {
    BulkRun load =
        new BulkRun(
            Shape.TAXIS, COPIES, options.documents(), DOCUMENTS_PER_BULK, options.clients(), "1s");
    List<byte[]> bodies = load.bodies();
    double saturation = 0;
    for (int i = 0; i < options.warmUp() + 2; i++) {
      saturation = load.on(server, bodies).documentsPerSecond();
      System.err.printf(Locale.ROOT, "saturated at %.0f documents/s%n", saturation);
    }
    load.recreateIndex(server);
    double rate = SHARE_OF_SATURATION * saturation / DOCUMENTS_PER_BULK;
    try (PacedLoad paced = new PacedLoad(server, BulkRun.INDEX, bodies, rate)) {
      sample(server, "taxis at 80%", paced);
    }
  }

  private void besideAMerge(MeasuredServer server) throws IOException, InterruptedException {
    List<byte[]> bodies = Blobs.fill(server, mergeMegabytes, COPIES);
    try (PacedLoad paced =
        new PacedLoad(server, BulkRun.INDEX, bodies, BULKS_PER_SECOND_BESIDE_A_MERGE)) {
      sample(server, "blobs", paced);
      server.call(
          "POST",
          "/" + BulkRun.INDEX + "/_forcemerge?max_num_segments=1&wait_for_completion=false",
          "");
      sample(server, "blobs, while all is merged and copied", paced);
    }
  }

  private void sample(MeasuredServer server, String load, PacedLoad paced)
      throws InterruptedException {
    int before = paced.sent();
    try (LagProbe lag = new LagProbe(server, BulkRun.INDEX)) {
      TimeUnit.SECONDS.sleep(seconds);
      CopiesBench.row(
          load,
          (double) (paced.sent() - before) / seconds,
          lag.count(),
          lag.quantileMillis(0.5),
          lag.quantileMillis(0.99));
    }
  }
}
