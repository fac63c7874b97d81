package io.varve.load;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code bench copies}, or {@code segrep}: measures the cost of copies (CPU, memory, throughput),
 * how fast they make refreshes visible, fail over, recover and relocate, and whether paused nodes
 * stay members. Each part starts its own cluster and prints a table. The part {@code table} has the
 * rows and columns of {@link SourceTables#SEGREP}.
 */
@Command(
    name = "copies",
    aliases = "segrep",
    description = "Measures replicas.",
    sortOptions = false)
final class CopiesBench implements Callable<Integer> {

  /** A part of the measurement that can be run separately. */
  private enum Part {
    REPLICAS,
    TABLE,
    VISIBLE,
    FAILOVER,
    RECOVERY,
    RELOCATION,
    MEMBERSHIP
  }

  @Mixin private BenchOptions options = new BenchOptions(100_000, 4, 3, 1);

  @Option(
      names = "--parts",
      paramLabel = "NAME,...",
      split = ",",
      defaultValue = "replicas,visible,failover,recovery,relocation",
      description = "the parts to measure, also table and membership (default: ${DEFAULT-VALUE})")
  private List<Part> parts;

  @Option(
      names = "--table-documents",
      paramLabel = "N,...",
      split = ",",
      defaultValue = "100000,600000",
      description = "documents per run of the table (default: ${DEFAULT-VALUE})")
  private List<Integer> tableDocuments;

  @Option(
      names = "--table-primaries",
      paramLabel = "N,...",
      split = ",",
      defaultValue = "4,10",
      description = "primary shards in the table (default: ${DEFAULT-VALUE})")
  private List<Integer> tablePrimaries;

  @Option(
      names = "--table-replicas",
      paramLabel = "N,...",
      split = ",",
      defaultValue = "1,9",
      description = "replicas of each primary in the table (default: ${DEFAULT-VALUE})")
  private List<Integer> tableReplicas;

  @Option(
      names = "--sizes",
      paramLabel = "MB,...",
      split = ",",
      defaultValue = "100,2000",
      description = "shard sizes for failover and recovery (default: ${DEFAULT-VALUE})")
  private List<Integer> sizesMegabytes;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "seconds for which visibility is sampled (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(
      names = "--merge-mb",
      paramLabel = "N",
      defaultValue = "1000",
      description =
          "size of the merge that is copied during the sampling (default: ${DEFAULT-VALUE})")
  private int mergeMegabytes;

  @Option(
      names = "--moves",
      paramLabel = "N",
      defaultValue = "12",
      description = "relocations of the primary (default: ${DEFAULT-VALUE})")
  private int moves;

  @Mixin private MembershipOptions membership = new MembershipOptions();

  private CopiesBench() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (parts.contains(Part.REPLICAS) || parts.contains(Part.TABLE)) {
      SourceTables.SEGREP.print();
    }
    Outages outages = new Outages(options);
    for (Part part : parts) {
      switch (part) {
        case REPLICAS -> new ReplicaCosts(options).run();
        case TABLE -> new CopiesTable(options, tableDocuments, tablePrimaries, tableReplicas).run();
        case VISIBLE -> new VisibilityBench(options, seconds, mergeMegabytes).run();
        case FAILOVER -> forEachSize(outages::failover);
        case RECOVERY -> forEachSize(outages::recovery);
        case RELOCATION -> outages.relocation(moves);
        case MEMBERSHIP -> new MembershipBench(options, membership).run();
      }
    }
    return 0;
  }

  private interface SizedMeasurement {
    void run(int megabytes) throws IOException, InterruptedException;
  }

  private void forEachSize(SizedMeasurement measurement) throws IOException, InterruptedException {
    for (int megabytes : sizesMegabytes) {
      measurement.run(megabytes);
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
