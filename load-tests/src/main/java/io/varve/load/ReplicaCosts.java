package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Compares segment replication and document replication with 1, 2 and 5 replicas. */
final class ReplicaCosts {

  private static final int[] REPLICAS = {1, 2, 5};
  private static final int DOCUMENTS_PER_BULK = 1000;

  private final BenchOptions options;

  ReplicaCosts(BenchOptions options) {
    this.options = options;
  }

  void run() throws IOException, InterruptedException {
    Map<Copies, List<BulkRun.Result>> results = new LinkedHashMap<>();
    int warmUp = options.warmUp();
    try (Servers servers = Servers.of(options, 1, 5, "always")) {
      MeasuredServer server = servers.all().getFirst();
      List<byte[]> bodies = load(Copies.NONE).bodies();
      for (int round = 0; round < warmUp + options.runs(); round++) {
        for (int replicas : REPLICAS) {
          for (String replication : new String[] {"SEGMENT", "DOCUMENT"}) {
            Copies copies = new Copies(replication, replicas);
            BulkRun.Result result = load(copies).on(server, bodies);
            System.err.printf(Locale.ROOT, "%s run %d: %s%n", copies.label(), round, result);
            if (round >= warmUp) {
              results.computeIfAbsent(copies, k -> new ArrayList<>()).add(result);
            }
          }
        }
      }
    }
    print(results);
  }

  private BulkRun load(Copies copies) {
    return new BulkRun(
        Shape.TAXIS, copies, options.documents(), DOCUMENTS_PER_BULK, options.clients(), "1s");
  }

  private static void print(Map<Copies, List<BulkRun.Result>> results) {
    CopiesBench.head(
        List.of(
            "replicas",
            "docs/s SEGMENT",
            "docs/s DOCUMENT",
            "ratio",
            "CPU s/100k SEGMENT",
            "CPU s/100k DOCUMENT",
            "ratio",
            "CPU s/100k of the primary, SEGMENT",
            "lag p50 ms",
            "p99 ms"));
    for (int replicas : REPLICAS) {
      List<BulkRun.Result> segment = results.get(new Copies("SEGMENT", replicas));
      List<BulkRun.Result> document = results.get(new Copies("DOCUMENT", replicas));
      CopiesBench.row(
          replicas,
          RunStats.median(segment, BulkRun.Result::documentsPerSecond),
          RunStats.median(document, BulkRun.Result::documentsPerSecond),
          RunStats.pairedRatio(segment, document, BulkRun.Result::documentsPerSecond),
          twoDecimals(RunStats.median(segment, BulkRun.Result::cpuSecondsPer100k)),
          twoDecimals(RunStats.median(document, BulkRun.Result::cpuSecondsPer100k)),
          RunStats.pairedRatio(segment, document, BulkRun.Result::cpuSecondsPer100k),
          twoDecimals(RunStats.median(segment, BulkRun.Result::primaryCpuSecondsPer100k)),
          RunStats.median(segment, BulkRun.Result::lagP50Millis),
          RunStats.median(segment, BulkRun.Result::lagP99Millis));
    }
  }

  private static String twoDecimals(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
