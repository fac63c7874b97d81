package io.varve.standalone.demo;

import io.varve.events.Json;
import io.varve.standalone.Options;
import io.varve.standalone.RestCalls;
import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import tools.jackson.databind.node.ObjectNode;

/**
 * Starts a standalone Varve, indexes a corpus with one primary and one replica, and tells what
 * happened. The cluster stays up.
 */
public final class Demo {

  private static final String INDEX = "demo";

  private Demo() {}

  public static void main(String[] arguments) throws Exception {
    Options options = Options.parseOrExit(arguments, Set.of("data", "port", "corpus"));
    Background background =
        new Background(options.data("demo"), options.number("port", 9200, 1, 65535));
    try {
      run(background, corpus(options), downOptions(options));
    } catch (IOException | IllegalStateException | IllegalArgumentException e) {
      System.err.println("varve: " + e.getMessage());
      System.exit(1);
    }
  }

  private static Corpus corpus(Options options) {
    if (options.text("corpus").isPresent()) {
      Path file = Path.of(options.text("corpus").get());
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
    printFarewell(background, downOptions);
  }

  private static void createIndex(RestCalls rest, Corpus corpus) throws IOException {
    rest.call("DELETE", "/" + INDEX + "?ignore_unavailable=true", "").orThrow();
    ObjectNode body = Json.mapper().createObjectNode();
    body.putObject("settings").put("number_of_shards", 1).put("number_of_replicas", 1);
    body.set("mappings", Json.mapper().readTree(corpus.mapping()));
    rest.call("PUT", "/" + INDEX, body.toString()).orThrow();
    rest.get("/_cluster/health/" + INDEX + "?wait_for_status=green&timeout=60s").orThrow();
  }

  /** There is no console object where output is not a terminal. */
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
      long begunNanos = System.nanoTime();
      long acked = new BulkLoader(rest, INDEX).load(corpus, bar::show);
      double seconds = (System.nanoTime() - begunNanos) / 1e9;
      bar.finish(acked);
      rest.call("POST", "/" + INDEX + "/_refresh", "").orThrow();
      new Report(rest, INDEX, System.out).print(corpus, acked, seconds, lag);
    }
  }

  private static void printFarewell(Background background, String downOptions) {
    System.out.printf(
        """

        The cluster stays up. Ask it yourself:
          curl '%1$s/%2$s/_search?q=text:manifest&pretty'
          curl '%1$s/_cat/segment_replication?v'
        Its data and log: %3$s
        End it with: ./varve down%4$s
        """,
        background.url(), INDEX, background.data(), downOptions);
  }

  /** What {@code down} has to be told to find this cluster. */
  private static String downOptions(Options options) {
    return options.text("data").map(data -> " --data " + data).orElse("");
  }
}
