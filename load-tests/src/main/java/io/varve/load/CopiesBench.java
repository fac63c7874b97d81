package io.varve.load;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * {@code bench copies}: what copies cost, and what they give. Each part starts a cluster of its own
 * and prints a table.
 *
 * <pre>
 *   --parts a,b   of replicas, visible, failover, recovery, relocation (all)
 *   --runs N      (3)         --warm-up N (1)       --documents N (100000)  --clients N (4)
 *   --sizes A,B   (100,2000)  MB of the shards of failover and recovery
 *   --seconds N   (30)        for which visibility is sampled
 *   --merge-mb N  (1000)      of the merge that is copied meanwhile
 *   --moves N     (12)        of the primary
 * </pre>
 */
final class CopiesBench {

  private final Options options;

  CopiesBench(Options options) {
    this.options = options;
  }

  void run() throws IOException, InterruptedException {
    for (String part :
        options.text("--parts", "replicas,visible,failover,recovery,relocation").split(",")) {
      switch (part) {
        case "replicas" -> new ReplicaCosts(options).run();
        case "visible" -> new Visibility(options).run();
        case "failover" -> eachSize(new Outages(options)::failover);
        case "recovery" -> eachSize(new Outages(options)::recovery);
        case "relocation" -> new Outages(options).relocation();
        default -> throw new IllegalArgumentException("no part [" + part + "]");
      }
    }
  }

  private interface OfSize {
    void run(int megabytes) throws IOException, InterruptedException;
  }

  private void eachSize(OfSize measured) throws IOException, InterruptedException {
    for (String size : options.text("--sizes", "100,2000").split(",")) {
      measured.run(Integer.parseInt(size));
    }
  }

  /** Prints a row of a table. */
  static void row(Object... cells) {
    System.out.println(
        "| "
            + String.join(
                " | ",
                Arrays.stream(cells)
                    .map(
                        c -> c instanceof Double d ? String.format(Locale.ROOT, "%.1f", d) : "" + c)
                    .toList())
            + " |");
  }

  /** Prints the head of a table. */
  static void head(List<String> columns) {
    System.out.println();
    row(columns.toArray());
    System.out.println("|" + "---|".repeat(columns.size()));
  }
}
