package io.varve.load;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code bench floor}: the CPU seconds that 100,000 documents cost on one thread of this process,
 * without HTTP or a log: tokens, parsing, indexing and refreshes, each measured alone.
 */
@Command(
    name = "floor",
    description = "Measures parsing and indexing alone, without a server.",
    sortOptions = false)
final class FloorBench implements Callable<Integer> {

  @Option(
      names = "--shape",
      paramLabel = "NAME",
      defaultValue = "taxis",
      description = "shape of the documents (default: ${DEFAULT-VALUE})")
  private Shape shape;

  @Option(
      names = "--documents",
      paramLabel = "N",
      defaultValue = "100000",
      description = "documents per run (default: ${DEFAULT-VALUE})")
  private int documents;

  @Option(
      names = "--refresh-every",
      paramLabel = "N",
      defaultValue = "50000",
      description = "documents between two refreshes (default: ${DEFAULT-VALUE})")
  private int refreshEvery;

  @Option(
      names = "--runs",
      paramLabel = "N",
      defaultValue = "5",
      description = "measured rounds (default: ${DEFAULT-VALUE})")
  private int runs;

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      defaultValue = "10",
      description = "rounds that are not counted (default: ${DEFAULT-VALUE})")
  private int warmUp;

  private FloorBench() {}

  @Override
  public Integer call() throws IOException {
    FloorRun run = new FloorRun(shape, sources(), refreshEvery);
    List<FloorRun.Result> results = new ArrayList<>();
    for (int round = 0; round < warmUp + runs; round++) {
      Path folder = Files.createTempDirectory("varve-floor");
      try {
        FloorRun.Result result = run.in(folder);
        System.err.printf("run %d: %s%n", round, result);
        if (round >= warmUp) {
          results.add(result);
        }
      } finally {
        TemporaryFolders.delete(folder);
      }
    }
    print(results);
    return 0;
  }

  private List<byte[]> sources() {
    SplittableRandom random = new SplittableRandom(42);
    List<byte[]> sources = new ArrayList<>(documents);
    StringBuilder source = new StringBuilder();
    for (int i = 0; i < documents; i++) {
      source.setLength(0);
      shape.append(source, random, i);
      sources.add(source.toString().getBytes(StandardCharsets.UTF_8));
    }
    return sources;
  }

  private void print(List<FloorRun.Result> results) {
    System.out.printf(
        "%s, %,d documents a run, a refresh each %,d, one thread, median of %d runs after %d of"
            + " warm-up%n%n",
        shape, documents, refreshEvery, runs, warmUp);
    System.out.println("| part | CPU s per 100,000 documents (range) |");
    System.out.println("|---|---|");
    row("tokens alone", results, FloorRun.Result::tokens);
    row("parse to Lucene fields", results, FloorRun.Result::parse);
    row("resolve and apply", results, FloorRun.Result::apply);
    row("refresh", results, FloorRun.Result::refresh);
    row("**parse, apply and refresh**", results, FloorRun.Result::shard);
    row("plain Lucene, the same fields: add", results, FloorRun.Result::lucene);
    row("plain Lucene: reopen", results, FloorRun.Result::reopen);
  }

  private void row(
      String part, List<FloorRun.Result> results, ToDoubleFunction<FloorRun.Result> seconds) {
    ToDoubleFunction<FloorRun.Result> scaled =
        result -> seconds.applyAsDouble(result) * 100_000 / documents;
    System.out.printf("| %s | %s |%n", part, RunStats.medianAndRange(results, scaled, 3));
  }
}
