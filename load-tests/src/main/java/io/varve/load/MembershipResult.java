package io.varve.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The counts of a run of {@link MembershipBench}, and its table. Pure arithmetic. */
final class MembershipResult {

  private static final double PER_SECOND_OF_NANOS = 1e9;

  /** The terms of the leading coordinator, and of the primaries of the index by shard. */
  record Terms(long leader, Map<String, Long> primaries) {

    Terms {
      primaries = Map.copyOf(primaries);
    }

    long leaderChangesSince(Terms earlier) {
      return leader - earlier.leader;
    }

    /** The sum over all shards. A term grows by one with each new primary. */
    long primaryChangesSince(Terms earlier) {
      return primaries.entrySet().stream()
          .mapToLong(shard -> shard.getValue() - earlier.primaries.getOrDefault(shard.getKey(), 0L))
          .sum();
    }
  }

  /**
   * The documents of an index before it is deleted.
   *
   * @param outcomes of all bulks
   * @param counted documents that the primaries hold
   * @param countedUnacked those of them that were not acked: refused, or sent over a connection
   *     that broke
   */
  record Round(BulkOutcomes outcomes, long counted, long countedUnacked) {

    Round {
      if (countedUnacked > counted) {
        throw new IllegalArgumentException(
            "unacked documents must be <= " + counted + " counted ones, were " + countedUnacked);
      }
    }

    long missing() {
      return Math.max(0, outcomes.acked() - (counted - countedUnacked));
    }
  }

  private final Map<String, Integer> pauses = new TreeMap<>();
  private final List<Double> gapsMillis = new ArrayList<>();
  private long acked;
  private long refused;
  private long unanswered;
  private long missing;
  private long primaryChanges;
  private long leaderChanges;
  private long sendingNanos;
  private double cpuSeconds;

  void paused(String process) {
    pauses.merge(process, 1, Integer::sum);
  }

  /**
   * Adds the documents of an index.
   *
   * @param durationNanos for which bulks were sent
   * @param cpuSecondsUsed by all processes of the cluster during that time
   */
  void ended(Round round, long durationNanos, double cpuSecondsUsed) {
    acked += round.outcomes().acked();
    refused += round.outcomes().refused();
    unanswered += round.outcomes().unanswered();
    missing += round.missing();
    gapsMillis.add(round.outcomes().longestGapMillis());
    sendingNanos += durationNanos;
    cpuSeconds += cpuSecondsUsed;
  }

  /** Adds the changes of terms while bulks were sent to an index. */
  void termsChanged(Terms before, Terms after) {
    primaryChanges += after.primaryChangesSince(before);
    leaderChanges += after.leaderChangesSince(before);
  }

  long missing() {
    return missing;
  }

  /** Returns the rows of the table: a name and a value each. */
  List<List<Object>> rows(DetectionCounts detection) {
    double seconds = sendingNanos / PER_SECOND_OF_NANOS;
    return List.of(
        List.of("minutes of load", seconds / 60),
        List.of("pauses", pauses.values().stream().mapToInt(n -> n).sum()),
        List.of("paused processes", String.join(", ", pausesByProcess())),
        List.of("documents acked", acked),
        List.of("documents acked per second", acked / seconds),
        List.of("processors used by the cluster", cpuSeconds / seconds),
        List.of("nodes suspected: disconnected", detection.suspectedDisconnected()),
        List.of("nodes suspected: silent", detection.suspectedSilent()),
        List.of("nodes removed: refused", detection.removedRefused()),
        List.of("nodes removed: silent", detection.removedSilent()),
        List.of("changes of a primary term", primaryChanges),
        List.of("changes of the leading coordinator", leaderChanges),
        List.of("documents refused", refused),
        List.of("documents without an answer", unanswered),
        List.of(
            "longest time without an ack, ms",
            gapsMillis.stream().mapToDouble(gap -> gap).max().orElse(0)),
        List.of("acked documents missing", missing));
  }

  private List<String> pausesByProcess() {
    return pauses.entrySet().stream()
        .map(entry -> String.format(Locale.ROOT, "%s: %d", entry.getKey(), entry.getValue()))
        .toList();
  }
}
