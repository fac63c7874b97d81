package io.varve.standalone.demo;

import io.varve.events.Json;
import io.varve.standalone.CommandLines;
import io.varve.standalone.DataOptions;
import io.varve.standalone.RestCalls;
import io.varve.standalone.Terminal;
import io.varve.standalone.load.BulkLoader;
import io.varve.standalone.load.ProgressBar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
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
    description = "Starts Varve, indexes this repository and reports. The cluster keeps running.",
    sortOptions = false)
public final class Demo implements Callable<Integer> {

  private static final String INDEX = "demo";
  private static final int CONNECTIONS = 4;
  private static final int DOCUMENTS_PER_BULK = 1000;
  private static final Duration FOLLOWS_WITHIN = Duration.ofMinutes(5);

  @Mixin private DataOptions options;

  @Option(
      names = "--corpus",
      paramLabel = "FILE",
      description = "documents to index instead, one JSON object per line")
  private Optional<Path> corpus = Optional.empty();

  @Option(
      names = "--follow",
      description = "starts a second Varve, on port N+100, that follows the index of the first one")
  private boolean follow;

  @Option(
      names = "--secured",
      description =
          "HTTPS, and requests need a user; the password of admin is in the folder security of the"
              + " data folder")
  private boolean secured;

  private Demo() {}

  public static void main(String[] arguments) {
    System.exit(commandLine(arguments).execute(arguments));
  }

  public static CommandLine commandLine(String... arguments) {
    return CommandLines.of(new Demo(), List.of(), arguments);
  }

  @Override
  public Integer call() throws InterruptedException {
    try {
      Background background =
          new Background(options.data("demo"), options.port(), secured, List.of());
      if (follow && background.follower().port() > 65_535) {
        throw new IllegalArgumentException(
            "--port must be at most 65435 with --follow, which uses port N+100");
      }
      Corpus documents = chosenCorpus();
      ensureUp(background);
      if (follow) {
        ensureUp(background.follower());
      }
      try (RestCalls rest = background.calls();
          RestCalls second = follow ? background.follower().calls() : background.calls()) {
        index(
            rest,
            documents,
            follow ? Optional.of(new Follower(rest, second, INDEX)) : Optional.empty(),
            background);
      }
      printNextSteps(background);
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

  private static void ensureUp(Background background) throws IOException, InterruptedException {
    System.out.println(
        "Varve: starting a broker, a coordinator, a shard-service, a replication-service and a"
            + " ccr-follower ...");
    long startNanos = System.nanoTime();
    background.ensureUp();
    System.out.printf(
        "  green after %.1f s at %s%n", (System.nanoTime() - startNanos) / 1e9, background.url());
  }

  private static void index(
      RestCalls rest, Corpus corpus, Optional<Follower> follower, Background leader)
      throws IOException, InterruptedException {
    if (follower.isPresent()) {
      follower.get().deleteIndex();
    }
    createIndex(rest, corpus);
    if (follower.isPresent()) {
      follower.get().follow(leader);
    }
    load(rest, corpus, follower);
  }

  private static void createIndex(RestCalls rest, Corpus corpus) throws IOException {
    rest.call("DELETE", "/" + INDEX + "?ignore_unavailable=true", "").orThrow();
    ObjectNode body = Json.mapper().createObjectNode();
    body.putObject("settings").put("number_of_shards", 1).put("number_of_replicas", 1);
    body.set("mappings", Json.mapper().readTree(corpus.mapping()));
    rest.call("PUT", "/" + INDEX, body.toString()).orThrow();
    rest.get("/_cluster/health/" + INDEX + "?wait_for_status=green&timeout=60s").orThrow();
  }

  private static void load(RestCalls rest, Corpus corpus, Optional<Follower> follower)
      throws IOException, InterruptedException {
    long total = corpus.count();
    System.out.printf(
        "Indexing %s: %,d documents, 1 primary + 1 segment replica%n", corpus.title(), total);
    ProgressBar bar = new ProgressBar(System.out, Terminal.isWatched(), total);
    DemoReport report = new DemoReport(rest, INDEX, System.out);
    try (LagSampler lag = LagSampler.ofReplica(rest, INDEX);
        LagSampler followerLag = follower.map(Follower::sampler).orElseGet(LagSampler::ofNothing)) {
      long startNanos = System.nanoTime();
      long acked =
          new BulkLoader(rest, new BulkLoader.Settings(INDEX, CONNECTIONS, DOCUMENTS_PER_BULK))
              .load(corpus, done -> bar.show(done, done))
              .orThrow();
      long ackedNanos = System.nanoTime();
      bar.close();
      long followedNanos =
          follower.isPresent()
              ? follower.get().awaitAll(FOLLOWS_WITHIN, System::nanoTime, Thread::sleep)
              : ackedNanos;
      rest.call("POST", "/" + INDEX + "/_refresh", "").orThrow();
      report.print(corpus, acked, (ackedNanos - startNanos) / 1e9, lag);
      if (follower.isPresent()) {
        report.printFollower(followerLag, (followedNanos - ackedNanos) / 1e6);
      }
    }
  }

  private void printNextSteps(Background background) throws IOException {
    System.out.printf(
        """

        The cluster stays up. Its console: %1$s/_console/
        Try:
          curl%3$s '%1$s/%2$s/_search?q=text:manifest&pretty'
          curl%3$s '%1$s/_cat/segment_replication?v'
        """,
        background.url(), INDEX, background.curlOptions());
    if (follow) {
      Background follower = background.follower();
      System.out.printf(
          "  curl%s '%s/_ccr/stats?pretty'%n", follower.curlOptions(), follower.url());
    }
    System.out.printf(
        """
        Data and log: %s
        Stop it with: ./varve down%s
        """,
        background.data(), options.givenData().map(data -> " --data " + data).orElse(""));
  }
}
