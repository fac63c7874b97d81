package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the bytes sent over the link per document, with each compression of the log. They
 * include the follower's fetch requests that return no records.
 */
final class CcrBytes {

  private static final String COUNTING_LINK = "delay=0ms";
  private static final List<String> COMPRESSIONS = List.of("lz4", "zstd");

  private final BenchOptions options;
  private final CcrPair.Layout layout;
  private final boolean secured;

  CcrBytes(BenchOptions options, CcrPair.Layout layout, boolean secured) {
    this.options = options;
    this.layout = layout;
    this.secured = secured;
  }

  void run(List<CcrTrack> tracks) throws IOException, InterruptedException {
    Map<CcrTrack, List<Double>> bytesPerDocument = new LinkedHashMap<>();
    for (String compression : COMPRESSIONS) {
      try (CcrPair pair = CcrPair.start(options, COUNTING_LINK, compression, secured)) {
        for (CcrTrack track : tracks) {
          double bytes = measure(pair, track);
          System.err.printf(
              Locale.ROOT, "%s %s: %.1f bytes/doc%n", compression, track.label(), bytes);
          bytesPerDocument.computeIfAbsent(track, _ -> new ArrayList<>()).add(bytes);
        }
      }
    }
    print(bytesPerDocument);
  }

  private double measure(CcrPair pair, CcrTrack track) throws IOException, InterruptedException {
    CcrLoad load = CcrLoad.appended(track, options.documents());
    pair.recreate(track.shape(), layout);
    long before = pair.linkBytes();
    load.send(pair, options.clients(), Pace.unlimited());
    load.awaitHeld(pair, 1, layout.shards(), LoadClock.SYSTEM);
    return (double) (pair.linkBytes() - before) / load.operations();
  }

  private void print(Map<CcrTrack, List<Double>> bytesPerDocument) {
    CopiesBench.head(
        List.of("track", "source bytes/doc", "link bytes/doc, lz4", "zstd", "saved by zstd"));
    bytesPerDocument.forEach((track, bytes) ->
        CopiesBench.row(
            track.label(),
            sourceBytes(track, track.documents(options.documents())),
            bytes.get(0),
            bytes.get(1),
            String.format(Locale.ROOT, "%.0f%%", savedPercent(bytes.get(0), bytes.get(1)))));
  }

  static double savedPercent(double before, double after) {
    return 100 * (1 - after / before);
  }

  /** The mean length of the documents without their actions and line ends. */
  static double sourceBytes(CcrTrack track, int documents) {
    long lines = 0;
    for (byte[] body : track.bodies(documents)) {
      lines += body.length;
    }
    return (double) lines / documents - "{\"index\":{}}\n\n".length();
  }
}
