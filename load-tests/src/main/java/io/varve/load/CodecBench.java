package io.varve.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * {@code bench codecs}: what each codec and level makes of the same documents, in this process.
 *
 * <pre>
 *   --shapes taxis,logs,articles,events,drifting,irregular
 *                          --megabytes N  (8)  of each shape
 *   --fetches N   (2000)   --runs N       (1)
 *   --seed N      (7)      --warm-up N    (1)
 * </pre>
 *
 * <p>First stored fields alone, beside the layout of OpenSearch's zstd; then whole shards. Subjects
 * take turns; figures are medians of the runs, ratios are of the medians. In the end what many open
 * segments take of memory.
 */
final class CodecBench {

  private static final String SHAPES = "taxis,logs,articles,events,drifting,irregular";

  private final Options options;
  private final int warmUp;
  private final int runs;

  CodecBench(Options options) {
    this.options = options;
    this.warmUp = options.number("--warm-up", 1);
    this.runs = options.number("--runs", 1);
  }

  private interface Run<T> {
    T on(CodecSubject subject, Path folder) throws IOException;
  }

  void run() throws IOException {
    for (String name : options.text("--shapes", SHAPES).split(",")) {
      Shape shape = Shape.of(name);
      List<byte[]> sources = sources(shape);
      long bytes = sources.stream().mapToLong(source -> source.length).sum();
      System.out.printf(
          Locale.ROOT,
          "%n%s: %,d documents, %.1f MB, median of %d runs%n%n",
          shape,
          sources.size(),
          bytes / 1e6,
          runs);
      StoredFieldsRun fields =
          new StoredFieldsRun(sources, options.number("--fetches", 2_000), seed());
      printFields(measured(CodecSubject.all(), fields::on));
      printIndex(measured(CodecSubject.ofIndex(), new IndexRun(shape, sources)::on));
    }
    NativeRun.print(Shape.EVENTS);
  }

  private int seed() {
    return options.number("--seed", 7);
  }

  private List<byte[]> sources(Shape shape) {
    SplittableRandom random = new SplittableRandom(seed());
    long wanted = options.number("--megabytes", 8) * 1_000_000L;
    List<byte[]> sources = new ArrayList<>();
    StringBuilder source = new StringBuilder();
    for (long bytes = 0; bytes < wanted; bytes += source.length()) {
      source.setLength(0);
      shape.append(source, random, sources.size());
      sources.add(source.toString().getBytes(StandardCharsets.UTF_8));
    }
    return sources;
  }

  private <T> Map<CodecSubject, List<T>> measured(List<CodecSubject> subjects, Run<T> run)
      throws IOException {
    Map<CodecSubject, List<T>> results = new LinkedHashMap<>();
    for (int round = 0; round < warmUp + runs; round++) {
      for (CodecSubject subject : subjects) {
        Path folder = Files.createTempDirectory("varve-codecs");
        T result = run.on(subject, folder);
        delete(folder);
        if (round >= warmUp) {
          results.computeIfAbsent(subject, s -> new ArrayList<>()).add(result);
        }
      }
    }
    return results;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private static void printFields(Map<CodecSubject, List<StoredFieldsRun.Result>> results) {
    List<StoredFieldsRun.Result> lz4 = results.get(CodecSubject.LZ4);
    List<StoredFieldsRun.Result> peer = results.get(CodecSubject.OPENSEARCH_ZSTD);
    System.out.println(
        "| stored fields | MB | of LZ4 | of OpenSearch's zstd | index CPU s | fetch p50 us | p99 us"
            + " | p50 of OpenSearch's zstd | page of 100 us | scan MB/s |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|");
    results.forEach((subject, runs) -> {
      double bytes = Figures.median(runs, StoredFieldsRun.Result::bytes);
      double p50 = Figures.median(runs, StoredFieldsRun.Result::fetchP50Micros);
      System.out.printf(
          Locale.ROOT,
          "| %s | %.2f | %.3f | %.3f | %.2f | %.1f | %.1f | %.3f | %.0f | %.0f |%n",
          subject.label(),
          bytes / 1e6,
          bytes / Figures.median(lz4, StoredFieldsRun.Result::bytes),
          bytes / Figures.median(peer, StoredFieldsRun.Result::bytes),
          Figures.median(runs, StoredFieldsRun.Result::indexSeconds),
          p50,
          Figures.median(runs, StoredFieldsRun.Result::fetchP99Micros),
          p50 / Figures.median(peer, StoredFieldsRun.Result::fetchP50Micros),
          Figures.median(runs, StoredFieldsRun.Result::pageMicros),
          Figures.median(runs, StoredFieldsRun.Result::scanMegabytesPerSecond));
    });
  }

  private static void printIndex(Map<CodecSubject, List<IndexRun.Result>> results) {
    List<IndexRun.Result> lz4 = results.get(CodecSubject.LZ4);
    System.out.println();
    System.out.println(
        "| whole shard | store MB | of LZ4 | of OpenSearch's zstd | docs/s | docs/s of LZ4, run by run"
            + " | CPU s/100k |");
    System.out.println("|---|---|---|---|---|---|---|");
    double peer = Figures.median(lz4, IndexRun.Result::peerBytes);
    results.forEach((subject, runs) -> {
      double bytes = Figures.median(runs, IndexRun.Result::storeBytes);
      System.out.printf(
          Locale.ROOT,
          "| %s | %.2f | %.3f | %.3f | %.0f | %s | %.2f |%n",
          subject.label(),
          bytes / 1e6,
          bytes / Figures.median(lz4, IndexRun.Result::storeBytes),
          bytes / peer,
          Figures.median(runs, IndexRun.Result::documentsPerSecond),
          Figures.pairedRatio(runs, lz4, IndexRun.Result::documentsPerSecond),
          Figures.median(runs, IndexRun.Result::cpuSecondsPer100k));
    });
  }
}
