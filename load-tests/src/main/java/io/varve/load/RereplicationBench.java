package io.varve.load;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench rereplication}: measures how fast the methods of {@code _rereplicate} prove the
 * records of a strong index whose primaries do not know their state, the cost of reading such a
 * record, and whether a limit is kept. The primaries lose this knowledge when the index is closed
 * and opened, which happens before each measurement.
 */
@Command(
    name = "rereplication",
    description = "Measures the methods that prove records of a strong index.",
    sortOptions = false)
final class RereplicationBench implements Callable<Integer> {

  /** The kind of copies of an index. */
  private enum Type {
    SEGMENT,
    DOCUMENT
  }

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "9400",
      description = "port of the cluster's coordinator (default: ${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      defaultValue = "512m",
      description = "maximum heap of each process (default: ${DEFAULT-VALUE})")
  private String heap;

  @Option(
      names = "--shard-services",
      paramLabel = "N",
      defaultValue = "3",
      description = "data nodes with primaries, one shard on each (default: ${DEFAULT-VALUE})")
  private int shardServices;

  @Option(
      names = "--replication-services",
      paramLabel = "N",
      defaultValue = "2",
      description = "data nodes with replicas (default: ${DEFAULT-VALUE})")
  private int replicationServices;

  @Option(
      names = "--documents",
      paramLabel = "N",
      defaultValue = "100000",
      description = "documents of 64 bytes (default: ${DEFAULT-VALUE})")
  private int documents;

  @Option(
      names = "--types",
      paramLabel = "NAME,...",
      split = ",",
      defaultValue = "SEGMENT,DOCUMENT",
      description = "replication types (default: ${DEFAULT-VALUE})")
  private List<Type> types;

  @Option(
      names = "--methods",
      paramLabel = "NAME,...",
      split = ",",
      defaultValue = "peek,touch,statement,execute,checkpoint,digest",
      description = "methods; digest is checkpoint with verify=digest (default: ${DEFAULT-VALUE})")
  private List<RereplicationMethod> methods;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "3",
      description = "measured rounds of all methods (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "1",
      description = "rounds that are not counted (default: ${DEFAULT-VALUE})")
  private int warmUp;

  @Option(
      names = "--reads",
      paramLabel = "N",
      defaultValue = "1000",
      description = "documents that are read twice by id; 0: none (default: ${DEFAULT-VALUE})")
  private int reads;

  @Option(
      names = "--throttle-seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "length of a limited job; 0: none (default: ${DEFAULT-VALUE})")
  private int throttleSeconds;

  private RereplicationBench() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    SourceTables.REREPLICATION.print();
    Path data = Files.createTempDirectory("varve-rereplication");
    try (MeasuredServer server = start(data)) {
      for (Type type : types) {
        RereplicationRounds rounds =
            new RereplicationRounds(
                server, type.name(), shardServices, documents, LoadClock.SYSTEM);
        rounds.create();
        methods(rounds, type);
        if (reads > 0) {
          reads(rounds, type);
        }
        if (throttleSeconds > 0) {
          throttle(rounds, type);
        }
      }
    } finally {
      delete(data);
    }
    return 0;
  }

  private MeasuredServer start(Path data) throws IOException {
    return MeasuredServer.varve(
        Path.of(System.getProperty("varve.home", ".")),
        data,
        port,
        List.of(
            "--shard-services",
            Integer.toString(shardServices),
            "--replication-services",
            Integer.toString(replicationServices),
            "--ccr-followers",
            "0",
            "--restart",
            "never",
            "--heap",
            heap));
  }

  private void methods(RereplicationRounds rounds, Type type)
      throws IOException, InterruptedException {
    Map<RereplicationMethod, List<RereplicationRun>> results =
        new EnumMap<>(RereplicationMethod.class);
    for (int round = 0; round < warmUp + runs; round++) {
      for (RereplicationMethod method : methods) {
        RereplicationRun run = rounds.run(method);
        System.err.printf(Locale.ROOT, "%s round %d %s: %s%n", type, round, method.label(), run);
        if (round >= warmUp) {
          results.computeIfAbsent(method, _ -> new ArrayList<>()).add(run);
        }
      }
    }
    CopiesBench.head(
        List.of(
            "type",
            "method",
            "documents",
            "ops/s avg per node",
            "max",
            "s",
            "% >1/8/64 ms",
            "CPU s"));
    results.forEach((method, measured) -> row(type, method, measured));
  }

  /** The run with the median time. */
  private void row(Type type, RereplicationMethod method, List<RereplicationRun> measured) {
    List<RereplicationRun> sorted =
        measured.stream().sorted(Comparator.comparingDouble(RereplicationRun::seconds)).toList();
    RereplicationRun run = sorted.get(sorted.size() / 2);
    int nodes = shardServices + replicationServices;
    boolean counts = run.checked() > 0;
    CopiesBench.row(
        type,
        method.label(),
        String.format(Locale.ROOT, "%,d", documents),
        counts ? Math.round(run.checked() / run.seconds() / nodes) : "",
        counts ? Math.round(run.maxPerSecond() / nodes) : "",
        String.format(Locale.ROOT, "%.2f", run.seconds()),
        counts ? run.durations().percentages() : "",
        run.cpuSeconds());
  }

  private void reads(RereplicationRounds rounds, Type type)
      throws IOException, InterruptedException {
    rounds.forget();
    Latencies first = rounds.read(reads);
    Latencies second = rounds.read(reads);
    CopiesBench.head(List.of("type", "get", "p50 ms", "p99 ms"));
    CopiesBench.row(type, "not known to be replicated", first.quantile(0.5), first.quantile(0.99));
    CopiesBench.row(type, "again", second.quantile(0.5), second.quantile(0.99));
  }

  private void throttle(RereplicationRounds rounds, Type type)
      throws IOException, InterruptedException {
    double wanted = (double) documents / throttleSeconds;
    rounds.forget();
    RereplicationRun run = rounds.limited(wanted);
    CopiesBench.head(List.of("type", "limit, documents/s", "reached", "s"));
    CopiesBench.row(type, wanted, run.checked() / run.seconds(), run.seconds());
  }

  private static void delete(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
