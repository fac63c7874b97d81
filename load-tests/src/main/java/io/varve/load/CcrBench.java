package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code bench ccr}: measures a cluster and its follower: the time from the last ack until the
 * follower has all operations, with and without a slow link; the leader's CPU time for followers;
 * the lag under a paced load; how fast a follower catches up; idle shards; the bytes sent over the
 * link.
 */
@Command(name = "ccr", description = "Measures a cluster and its follower.", sortOptions = false)
final class CcrBench implements Callable<Integer> {

  /** A part of the measurement that can be run separately. */
  private enum Part {
    FINISH,
    OVERHEAD,
    LAG,
    BACKLOG,
    IDLE,
    BYTES
  }

  static final double SHARE_OF_SATURATION = 0.8;

  /** Shorter loads end before merges and copies to replicas take their share of the CPU. */
  private static final int SATURATING_DOCUMENTS = 200_000;

  private static final int SATURATED_ROUNDS = 3;
  private static final String DEFAULT_COMPRESSION = "lz4";

  @Spec private CommandSpec spec;

  @Mixin private BenchOptions options = new BenchOptions("1g", 20_000, 8, 30, 2);

  @Option(
      names = "--parts",
      paramLabel = "NAME,...",
      split = ",",
      defaultValue = "finish,overhead,lag,backlog,idle,bytes",
      description = "the parts to measure (default: ${DEFAULT-VALUE})")
  private List<Part> parts;

  @Option(
      names = "--tracks",
      paramLabel = "NAME,...",
      split = ",",
      defaultValue = "geopoint,http_logs,pmc,eventdata",
      description = "tracks of finish and bytes (default: ${DEFAULT-VALUE})")
  private List<CcrTrack> tracks;

  @Option(
      names = "--link",
      paramLabel = "delay=60ms,...",
      defaultValue = "delay=60ms",
      description =
          "the link of the second table of finish, see varve cluster (default: ${DEFAULT-VALUE})")
  private String link;

  @Option(
      names = "--shards",
      paramLabel = "N",
      defaultValue = "3",
      description = "primaries of an index (default: ${DEFAULT-VALUE})")
  private int shards;

  @Option(
      names = "--replicas",
      paramLabel = "0|1",
      defaultValue = "1",
      description = "replicas of each (default: ${DEFAULT-VALUE})")
  private int replicas;

  @Option(
      names = "--rate",
      paramLabel = "N",
      defaultValue = "0",
      description =
          "documents per second of overhead and lag; 0: 80%% of what the pair sustains with the"
              + " followers of that part (default: ${DEFAULT-VALUE})")
  private int documentsPerSecond;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "30",
      description = "seconds of each paced load (default: ${DEFAULT-VALUE})")
  private int seconds;

  @Option(
      names = "--overhead-warm-up",
      paramLabel = "N",
      defaultValue = "10",
      description =
          "rounds of overhead that are not counted, for each number of followers (default:"
              + " ${DEFAULT-VALUE})")
  private int overheadWarmUp;

  @Option(
      names = "--secured",
      description = "both clusters have security: HTTPS, users, and TLS over the link")
  private boolean secured;

  @Option(
      names = "--peer-follower-url",
      paramLabel = "URL",
      description = "the follower of --peer-url; its remote cluster [leader] is that server")
  private Optional<String> peerFollowerUrl = Optional.empty();

  private CcrBench() {}

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    SourceTables.CCR.print();
    if (parts.stream().anyMatch(part -> part != Part.BYTES)) {
      try (CcrPair pair = CcrPair.start(options, "", DEFAULT_COMPRESSION, secured)) {
        measure(pair);
      }
    }
    if (options.peerUrl().isPresent()) {
      try (CcrPair peer =
          CcrPair.running(
              options.peerUrl().get(), options.peerPids(), peerFollowerUrl.orElseThrow())) {
        measure(peer);
      }
    }
    if (parts.contains(Part.FINISH)) {
      try (CcrPair pair = CcrPair.start(options, link, DEFAULT_COMPRESSION, secured)) {
        CcrFinish.head();
        new CcrFinish(options, layout()).run(pair, link, tracks());
      }
    }
    if (parts.contains(Part.BYTES)) {
      new CcrBytes(options, layout(), secured).run(tracks());
    }
    return 0;
  }

  private void check() {
    if (options.peerUrl().isPresent() != peerFollowerUrl.isPresent()) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--peer-url and --peer-follower-url must be given together");
    }
  }

  private List<CcrTrack> tracks() {
    return tracks.stream().distinct().toList();
  }

  private CcrPair.Layout layout() {
    return new CcrPair.Layout(shards, replicas, 1);
  }

  /** Runs the measurements that need no link. */
  private void measure(CcrPair pair) throws IOException, InterruptedException {
    if (parts.contains(Part.FINISH)) {
      CcrFinish.head();
      new CcrFinish(options, layout()).run(pair, "", tracks());
    }
    if (parts.contains(Part.OVERHEAD)) {
      new CcrOverhead(options, layout(), seconds, overheadWarmUp)
          .run(pair, rate(pair, CcrPair.MAX_FOLLOWERS));
    }
    if (parts.contains(Part.LAG)) {
      new CcrLag(options, layout(), seconds).run(pair, rate(pair, 1));
    }
    if (parts.contains(Part.BACKLOG)) {
      new CcrBacklog(options, layout(), saturatingDocuments(), LoadClock.SYSTEM).run(pair);
    }
    if (parts.contains(Part.IDLE)) {
      new CcrIdle(seconds).run(pair);
    }
  }

  private int saturatingDocuments() {
    return Math.max(options.documents(), SATURATING_DOCUMENTS);
  }

  /** The documents per second of a paced load. */
  private double rate(CcrPair pair, int followers) throws IOException, InterruptedException {
    if (documentsPerSecond > 0) {
      return documentsPerSecond;
    }
    CcrLoad load = CcrLoad.appended(CcrTrack.HTTP_LOGS, saturatingDocuments());
    CcrPair.Layout all = new CcrPair.Layout(shards, replicas, followers);
    List<Double> sustained = new ArrayList<>();
    for (int i = 0; i < options.warmUp() + SATURATED_ROUNDS; i++) {
      CcrLoad.Times times =
          load.run(pair, all, options.clients(), Double.POSITIVE_INFINITY, LoadClock.SYSTEM);
      double rate = load.operations() / times.heldSeconds();
      System.err.printf(Locale.ROOT, "%d followers: sustained %.0f documents/s%n", followers, rate);
      if (i >= options.warmUp()) {
        sustained.add(rate);
      }
    }
    return SHARE_OF_SATURATION * RunStats.median(sustained, rate -> rate);
  }
}
