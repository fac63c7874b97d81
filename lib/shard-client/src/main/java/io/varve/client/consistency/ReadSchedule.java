package io.varve.client.consistency;

import io.varve.client.CopyAddress;
import io.varve.rpc.ReadDemand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The order in which copies are asked by a read that demands a minimum of visible operations.
 *
 * <pre>
 *   1. those that are known to show it, in the order of preference
 *   2. the preferred one, for a moment                 (when that is a replica)
 *   3. the primary, which refreshes when it is asked   (when the preference allows it)
 *   4. the others, as long as there is time
 * </pre>
 *
 * <p>What is known may be out of date: each copy looks for itself. Where nothing is demanded each
 * copy is asked once, in the order of preference.
 */
final class ReadSchedule {

  /** For as long as the read has. */
  static final long ALL = Long.MAX_VALUE;

  /**
   * One copy to ask.
   *
   * @param mostMillis that it may wait
   * @param nudge the primary, which will not be asked itself, is made to refresh first
   * @param fits whether it shows what is demanded, as far as is known
   */
  record Attempt(CopyAddress copy, long mostMillis, boolean nudge, boolean fits) {

    private Attempt(CopyAddress copy, long mostMillis, boolean nudge) {
      this(copy, mostMillis, nudge, false);
    }

    /** A copy in place of the primary. */
    static Attempt substitute(CopyAddress copy, long mostMillis) {
      return new Attempt(copy, mostMillis, false);
    }
  }

  private ReadSchedule() {}

  /**
   * @param preferred the copies that may be asked, the best first
   * @param known the seq_no that a copy is known to show, -1 for none
   */
  static List<Attempt> of(
      List<CopyAddress> preferred,
      ReadDemand demand,
      ToLongFunction<CopyAddress> known,
      long replicaWaitMillis) {
    if (demand.isNone()) {
      return preferred.stream().map(copy -> new Attempt(copy, 0, false, true)).toList();
    }
    List<Attempt> attempts = new ArrayList<>();
    List<CopyAddress> others = new ArrayList<>();
    for (CopyAddress copy : preferred) {
      if (demand.maxStalenessMillis() < 0 && known.applyAsLong(copy) >= demand.seqNo()) {
        attempts.add(new Attempt(copy, replicaWaitMillis, false, true));
      } else {
        others.add(copy);
      }
    }
    Optional<CopyAddress> primary =
        others.stream().filter(copy -> copy.copy().primary()).findFirst();
    boolean primaryIsAsked = preferred.stream().anyMatch(copy -> copy.copy().primary());
    if (!others.isEmpty() && !others.getFirst().copy().primary()) {
      attempts.add(new Attempt(others.getFirst(), replicaWaitMillis, false));
    }
    primary.ifPresent(copy -> attempts.add(new Attempt(copy, ALL, false)));
    for (CopyAddress copy : others) {
      if (!copy.copy().primary()) {
        attempts.add(new Attempt(copy, ALL, !primaryIsAsked));
      }
    }
    return attempts;
  }
}
