package io.varve.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench codecs}: compares codecs and levels on the same documents, in this process.
 *
 * <p>It measures only stored fields, compared with the layout of OpenSearch's zstd codec, then
 * whole shards, and at the end the native memory of many open segments. Runs of the codecs are
 * interleaved; results are medians of the runs, ratios are ratios of medians.
 */
@Command(name = "codecs", description = "Compares codecs, without a server.", sortOptions = false)
final class CodecBench implements Callable<Integer> {

  @Option(
      names = "--shapes",
      paramLabel = "NAME,...",
      split = ",",
      defaultValue = "taxis,logs,articles,events,drifting,irregular",
      description = "shapes of the documents (default: ${DEFAULT-VALUE})")
  private List<Shape> shapes;

  @Option(
      names = "--megabytes",
      paramLabel = "N",
      defaultValue = "8",
      description = "size of the documents of each shape (default: ${DEFAULT-VALUE})")
  private int megabytes;

  @Option(
      names = "--fetches",
      paramLabel = "N",
      defaultValue = "2000",
      description = "documents fetched per run (default: ${DEFAULT-VALUE})")
  private int fetches;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "1",
      description = "measured rounds (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "1",
      description = "rounds that are not counted (default: ${DEFAULT-VALUE})")
  private int warmUp;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "7",
      description = "seed of the documents (default: ${DEFAULT-VALUE})")
  private int seed;

  private CodecBench() {}

  private interface Run<T> {
    T on(CodecSubject subject, Path folder) throws IOException;
  }

  @Override
  public Integer call() throws IOException {
    SourceTables.CODECS.print();
    for (Shape shape : shapes) {
      List<byte[]> sources = sources(shape);
      long bytes = sources.stream().mapToLong(source -> source.length).sum();
      System.out.printf(
          Locale.ROOT,
          "%n%s: %,d documents, %.1f MB, median of %d runs%n%n",
          shape,
          sources.size(),
          bytes / 1e6,
          runs);
      StoredFieldsRun fields = new StoredFieldsRun(sources, fetches, seed);
      printFields(measured(CodecSubject.all(), fields::on));
      printIndex(measured(CodecSubject.ofIndex(), new IndexRun(shape, sources)::on));
    }
    NativeRun.print(Shape.EVENTS);
    return 0;
  }

  private List<byte[]> sources(Shape shape) {
    SplittableRandom random = new SplittableRandom(seed);
    long wanted = megabytes * 1_000_000L;
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
        TemporaryFolders.delete(folder);
        if (round >= warmUp) {
          results.computeIfAbsent(subject, s -> new ArrayList<>()).add(result);
        }
      }
    }
    return results;
  }

  private static void printFields(Map<CodecSubject, List<StoredFieldsRun.Result>> results) {
    List<StoredFieldsRun.Result> lz4 = results.get(CodecSubject.LZ4);
    List<StoredFieldsRun.Result> peer = results.get(CodecSubject.OPENSEARCH_ZSTD);
    System.out.println(
        "| stored fields | MB | of LZ4 | of OpenSearch's zstd | index CPU s | fetch p50 us | p99 us"
            + " | p50 of OpenSearch's zstd | page of 100 us | scan MB/s |");
    System.out.println("|---|---|---|---|---|---|---|---|---|---|");
    results.forEach((subject, runs) -> {
      double bytes = RunStats.median(runs, StoredFieldsRun.Result::bytes);
      double p50 = RunStats.median(runs, StoredFieldsRun.Result::fetchP50Micros);
      System.out.printf(
          Locale.ROOT,
          "| %s | %.2f | %.3f | %.3f | %.2f | %.1f | %.1f | %.3f | %.0f | %.0f |%n",
          subject.label(),
          bytes / 1e6,
          bytes / RunStats.median(lz4, StoredFieldsRun.Result::bytes),
          bytes / RunStats.median(peer, StoredFieldsRun.Result::bytes),
          RunStats.median(runs, StoredFieldsRun.Result::indexSeconds),
          p50,
          RunStats.median(runs, StoredFieldsRun.Result::fetchP99Micros),
          p50 / RunStats.median(peer, StoredFieldsRun.Result::fetchP50Micros),
          RunStats.median(runs, StoredFieldsRun.Result::pageMicros),
          RunStats.median(runs, StoredFieldsRun.Result::scanMegabytesPerSecond));
    });
  }

  private static void printIndex(Map<CodecSubject, List<IndexRun.Result>> results) {
    List<IndexRun.Result> lz4 = results.get(CodecSubject.LZ4);
    System.out.println();
    System.out.println(
        "| whole shard | store MB | of LZ4 | of OpenSearch's zstd | docs/s | docs/s of LZ4, run by run"
            + " | CPU s/100k |");
    System.out.println("|---|---|---|---|---|---|---|");
    double peer = RunStats.median(lz4, IndexRun.Result::peerBytes);
    results.forEach((subject, runs) -> {
      double bytes = RunStats.median(runs, IndexRun.Result::storeBytes);
      System.out.printf(
          Locale.ROOT,
          "| %s | %.2f | %.3f | %.3f | %.0f | %s | %.2f |%n",
          subject.label(),
          bytes / 1e6,
          bytes / RunStats.median(lz4, IndexRun.Result::storeBytes),
          bytes / peer,
          RunStats.median(runs, IndexRun.Result::documentsPerSecond),
          RunStats.pairedRatio(runs, lz4, IndexRun.Result::documentsPerSecond),
          RunStats.median(runs, IndexRun.Result::cpuSecondsPer100k));
    });
  }
}
