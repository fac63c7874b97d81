package io.varve.load;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Options of {@code bench growth machine} that choose its sizes and rounds. */
final class GrowthMachineOptions {

  @Option(
      names = "--shards",
      paramLabel = "N,...",
      split = ",",
      description = "shards of one index (default: 1,10,50,200)")
  private List<Integer> shards = List.of();

  @Option(
      names = "--indices",
      paramLabel = "N,...",
      split = ",",
      description =
          "indices that share as many shards as the largest of these numbers (default: 1,5,20)")
  private List<Integer> indices = List.of();

  @Option(
      names = "--replicas",
      paramLabel = "N,...",
      split = ",",
      description = "SEGMENT replicas of one shard, each in its own process (default: 0,1,2,5,9)")
  private List<Integer> replicas = List.of();

  @Option(
      names = "--followers",
      paramLabel = "N,...",
      split = ",",
      description =
          "indices of a second cluster that follow one shard of the first (default: 0,1,2,3)")
  private List<Integer> followers = List.of();

  @Option(
      names = "--documents",
      paramLabel = "N",
      description = "documents of a round of one size (default: 50000)")
  private Optional<Integer> documents = Optional.empty();

  @Option(names = "--bulk", paramLabel = "N", description = "documents per bulk (default: 1000)")
  private Optional<Integer> documentsPerBulk = Optional.empty();

  @Option(names = "--clients", paramLabel = "N", description = "concurrent clients (default: 4)")
  private Optional<Integer> clients = Optional.empty();

  @Option(
      names = "--runs",
      paramLabel = "N",
      description = "counted rounds of each size (default: 3)")
  private Optional<Integer> runs = Optional.empty();

  @Option(
      names = "--warm-up",
      paramLabel = "N",
      description = "rounds of each size that are not counted (default: 10)")
  private Optional<Integer> warmUp = Optional.empty();

  @Option(
      names = "--settle-seconds",
      paramLabel = "N",
      description = "pause before the processes count as idle (default: 8)")
  private Optional<Integer> settleSeconds = Optional.empty();

  @Option(
      names = "--idle-seconds",
      paramLabel = "N",
      description = "time for which idle processes are measured (default: 15)")
  private Optional<Integer> idleSeconds = Optional.empty();

  @Option(
      names = "--quick",
      description = "small sizes, one round of warm-up, one counted: tests that the bench ends")
  private boolean quick;

  GrowthSizes sizes() {
    GrowthSizes base = quick ? GrowthSizes.QUICK : GrowthSizes.FULL;
    GrowthSizes.Rounds rounds = base.rounds();
    return new GrowthSizes(
        shards.isEmpty() ? base.shards() : shards,
        indices.isEmpty() ? base.indices() : indices,
        replicas.isEmpty() ? base.replicas() : replicas,
        followers.isEmpty() ? base.followers() : followers,
        new GrowthSizes.Rounds(
            documents.orElse(rounds.documents()),
            documentsPerBulk.orElse(rounds.documentsPerBulk()),
            clients.orElse(rounds.clients()),
            runs.orElse(rounds.runs()),
            warmUp.orElse(rounds.warmUp())),
        settleSeconds.map(Duration::ofSeconds).orElse(base.settle()),
        idleSeconds.map(Duration::ofSeconds).orElse(base.idle()));
  }
}
