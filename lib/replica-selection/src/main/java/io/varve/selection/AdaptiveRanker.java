package io.varve.selection;

import io.varve.selection.NodeView.Seen;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ranks copies by expected completion time.
 *
 * <pre>
 *   in flight = own requests to the node + those of others in its last report
 *   cost      = slowness · (1 + max(0, in flight + 1 − workers) / workers)
 *               + time for which a probe is unanswered beyond the probe timeout
 * </pre>
 *
 * in multiples of the expected time of the work. Requests being executed don't delay the next one,
 * so only those beyond the number of workers count. A node without measurements is treated as
 * average.
 *
 * <p>Order: trusted nodes; new nodes with more requests in flight than samples; nodes on trial
 * after failures; suspended nodes. Within one class, all costs up to 1.5 times the lowest count as
 * equal: near nodes precede, then those with the fewest requests, then round-robin.
 *
 * <p>A node ranked low by its own slowness gets a shadow request when its statistics are older than
 * 250 ms and it has capacity, so that its rank can recover.
 */
final class AdaptiveRanker implements Ranker {

  static final double MARGIN = 1.5;
  static final long STALE_NANOS = 250_000_000;
  private static final int TRUST_EARNED = 16;
  private static final long DEFAULT_EXPECTED_NANOS = 10_000_000;

  private enum Standing {
    SERVING,
    BEGINNING,
    ON_TRIAL,
    SUSPENDED
  }

  private record Judged(
      Copy copy, Standing standing, double cost, long inFlight, Seen seen, boolean equal) {

    Judged equalTo(double best) {
      return new Judged(copy, standing, cost, inFlight, seen, cost <= MARGIN * best);
    }
  }

  private static final Comparator<Judged> BEST_FIRST =
      Comparator.comparing(Judged::standing)
          .thenComparing(judged -> !judged.equal)
          .thenComparing(judged -> judged.equal && !judged.copy.near())
          .thenComparingDouble(judged -> judged.equal ? (double) judged.inFlight : judged.cost);

  @Override
  public Ranked rank(List<Copy> turn, Candidates candidates) {
    if (turn.size() < 2) {
      return Ranked.counted(turn);
    }
    List<Judged> judged = new ArrayList<>(turn.size());
    for (Copy copy : turn) {
      judged.add(judge(copy, candidates));
    }
    judged = withEquals(judged);
    judged.sort(BEST_FIRST);
    return new Ranked(judged.stream().map(Judged::copy).toList(), shadow(judged), true);
  }

  private static List<Judged> withEquals(List<Judged> judged) {
    Map<Standing, Double> best = new EnumMap<>(Standing.class);
    for (Judged each : judged) {
      best.merge(each.standing, each.cost, Math::min);
    }
    List<Judged> marked = new ArrayList<>(judged.size());
    for (Judged each : judged) {
      marked.add(each.equalTo(best.get(each.standing)));
    }
    return marked;
  }

  private static Judged judge(Copy copy, Candidates candidates) {
    Seen seen = candidates.view(copy).seen(candidates.moment());
    long inFlight = seen.inFlight() + candidates.planned(copy);
    double cost = cost(seen, inFlight, candidates.expectedNanos());
    return new Judged(copy, standing(seen, inFlight), cost, inFlight, seen, false);
  }

  static double cost(Seen seen, long inFlight, long expectedNanos) {
    double slowness = seen.slowness() > 0 ? seen.slowness() : 1;
    double waiting =
        seen.workers() > 0
            ? Math.max(0, inFlight + 1 - seen.workers()) / (double) seen.workers()
            : 0;
    long expected = expectedNanos > 0 ? expectedNanos : DEFAULT_EXPECTED_NANOS;
    return slowness * (1 + waiting) + (double) seen.silentNanos() / expected;
  }

  private static Standing standing(Seen seen, long inFlight) {
    return switch (seen.backOff()) {
      case SUSPENDED -> Standing.SUSPENDED;
      case ON_TRIAL -> Standing.ON_TRIAL;
      case TRUSTED -> begins(seen, inFlight) ? Standing.BEGINNING : Standing.SERVING;
    };
  }

  /**
   * Whether a node with low trust has reached its limit of requests; nodes that publish no
   * statistics have no limit.
   */
  static boolean begins(Seen seen, long inFlight) {
    boolean saysNothing = seen.heard() && seen.slowness() <= 0 && seen.workers() < 0;
    return !saysNothing && seen.trust() < TRUST_EARNED && inFlight > seen.trust();
  }

  /**
   * The low-ranked node whose statistics most need a refresh and that has capacity for a request.
   */
  private static Optional<String> shadow(List<Judged> sorted) {
    if (sorted.getFirst().standing == Standing.SUSPENDED) {
      return Optional.empty();
    }
    return sorted.stream()
        .skip(1)
        .filter(AdaptiveRanker::worthAShadow)
        .max(Comparator.comparingLong(judged -> judged.seen.sampleAgeNanos()))
        .map(judged -> judged.copy.node());
  }

  private static boolean worthAShadow(Judged loser) {
    boolean avoided = !loser.equal || loser.standing != Standing.SERVING;
    boolean idle = loser.seen.outstanding() == 0 && loser.inFlight <= 1;
    return loser.standing != Standing.SUSPENDED
        && avoided
        && idle
        && loser.seen.silentNanos() == 0
        && loser.seen.sampleAgeNanos() > STALE_NANOS;
  }
}
