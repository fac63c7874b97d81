package io.varve.load;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * The sizes of {@code bench growth machine}, and how they are measured.
 *
 * @param rounds the amount of work
 * @param settle pause before the window in which idle processes are measured
 * @param idle that window
 */
record GrowthSizes(
    List<Integer> shards,
    List<Integer> indices,
    List<Integer> replicas,
    List<Integer> followers,
    Rounds rounds,
    Duration settle,
    Duration idle) {

  /**
   * The amount of work.
   *
   * @param documents of a round of one size
   * @param runs counted rounds of each size
   * @param warmUp rounds of each size that are not counted
   */
  record Rounds(int documents, int documentsPerBulk, int clients, int runs, int warmUp) {}

  /** About 25 minutes. */
  static final GrowthSizes FULL =
      new GrowthSizes(
          List.of(1, 10, 50, 200),
          List.of(1, 5, 20),
          List.of(0, 1, 2, 5, 9),
          List.of(0, 1, 2, 3),
          new Rounds(50_000, 1_000, 4, 3, 10),
          Duration.ofSeconds(8),
          Duration.ofSeconds(15));

  /** Tests only that the measurement reaches its end; its results have no meaning. */
  static final GrowthSizes QUICK =
      new GrowthSizes(
          List.of(1, 10),
          List.of(1, 5),
          List.of(0, 1, 2),
          List.of(0, 1),
          new Rounds(5_000, 1_000, 2, 1, 1),
          Duration.ofSeconds(1),
          Duration.ofSeconds(3));

  /** The shards that the indices share, whatever their number. */
  int sharedShards() {
    return indices.stream().mapToInt(Integer::intValue).max().orElse(1);
  }

  /** In words, for a machine on which nothing else is said to run. */
  List<String> conditions(String heap, int cores, long memoryBytes) {
    return List.of(
        String.format(
            Locale.ROOT,
            "%d cores, %d GB, loopback, with the load generator; heap of each process at most %s;",
            cores,
            Math.round(memoryBytes / (double) (1 << 30)),
            heap),
        String.format(
            Locale.ROOT,
            "taxis, %,d documents a round as fast as they are taken, bulks of %,d, %d clients,"
                + " refresh 1 s;",
            rounds.documents(),
            rounds.documentsPerBulk(),
            rounds.clients()),
        String.format(
            Locale.ROOT,
            "median of %d rounds after %d of warm-up; idle: %d s, after %d s without a request",
            rounds.runs(),
            rounds.warmUp(),
            idle.toSeconds(),
            settle.toSeconds()));
  }
}
