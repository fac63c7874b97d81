package io.varve.standalone.demo;

import io.varve.events.Json;
import io.varve.standalone.CommandLines;
import io.varve.standalone.DataOptions;
import io.varve.standalone.RestCalls;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code varve demo}: starts a standalone Varve, indexes a corpus with one primary and one replica,
 * and prints a report. The cluster stays up.
 */
@Command(
    name = "varve demo",
    description = "Starts Varve, indexes this repository and reports. The cluster stays up.",
    sortOptions = false)
public final class Demo implements Callable<Integer> {

  private static final String INDEX = "demo";

  @Mixin private DataOptions options;

  @Option(
      names = "--corpus",
      paramLabel = "FILE",
      description = "documents to index instead, one JSON object per line")
  private Optional<Path> corpus = Optional.empty();

  private Demo() {}

  public static void main(String[] arguments) {
    System.exit(CommandLines.of(new Demo(), List.of(), arguments).execute(arguments));
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      run(new Background(options.data("demo"), options.port()), chosenCorpus(), downOptions());
      return 0;
    } catch (IOException | IllegalStateException | IllegalArgumentException e) {
      System.err.println("varve: " + e.getMessage());
      return 1;
    }
  }

  private Corpus chosenCorpus() {
    if (corpus.isPresent()) {
      Path file = corpus.get();
      if (!Files.isReadable(file)) {
        throw new IllegalArgumentException("cannot read the corpus " + file.toAbsolutePath());
      }
      return new FileCorpus(file);
    }
    return new RepositoryCorpus(
        Path.of(System.getProperty("varve.home", ".")).toAbsolutePath().normalize());
  }

  private static void run(Background background, Corpus corpus, String downOptions)
      throws IOException, InterruptedException {
    System.out.println(
        "Varve: starting a broker, a coordinator, a shard-service and a replication-service ...");
    long startNanos = System.nanoTime();
    background.ensureUp();
    System.out.printf(
        "  green after %.1f s at %s%n", (System.nanoTime() - startNanos) / 1e9, background.url());
    try (RestCalls rest = new RestCalls(background.url())) {
      createIndex(rest, corpus);
      load(rest, corpus);
    }
    printNextSteps(background, downOptions);
  }

  private static void createIndex(RestCalls rest, Corpus corpus) throws IOException {
    rest.call("DELETE", "/" + INDEX + "?ignore_unavailable=true", "").orThrow();
    ObjectNode body = Json.mapper().createObjectNode();
    body.putObject("settings").put("number_of_shards", 1).put("number_of_replicas", 1);
    body.set("mappings", Json.mapper().readTree(corpus.mapping()));
    rest.call("PUT", "/" + INDEX, body.toString()).orThrow();
    rest.get("/_cluster/health/" + INDEX + "?wait_for_status=green&timeout=60s").orThrow();
  }

  /** Whether the output is a terminal; {@link System#console} can be null. */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean onTerminal() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  private static void load(RestCalls rest, Corpus corpus) throws IOException, InterruptedException {
    long total = corpus.count();
    System.out.printf(
        "Indexing %s: %,d documents, 1 primary + 1 segment replica%n", corpus.title(), total);
    ProgressBar bar = new ProgressBar(System.out, onTerminal(), total);
    try (LagSampler lag = new LagSampler(rest, INDEX)) {
      long startNanos = System.nanoTime();
      long acked = new BulkLoader(rest, INDEX).load(corpus, bar::show);
      double seconds = (System.nanoTime() - startNanos) / 1e9;
      bar.finish(acked);
      rest.call("POST", "/" + INDEX + "/_refresh", "").orThrow();
      new DemoReport(rest, INDEX, System.out).print(corpus, acked, seconds, lag);
    }
  }

  private static void printNextSteps(Background background, String downOptions) {
    System.out.printf(
        """

        The cluster stays up. Try:
          curl '%1$s/%2$s/_search?q=text:manifest&pretty'
          curl '%1$s/_cat/segment_replication?v'
        Data and log: %3$s
        Stop it with: ./varve down%4$s
        """,
        background.url(), INDEX, background.data(), downOptions);
  }

  /** The options that {@code varve down} needs to find this cluster. */
  private String downOptions() {
    return options.givenData().map(data -> " --data " + data).orElse("");
  }
}
