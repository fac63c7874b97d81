package io.varve.client.consistency;

import io.varve.client.CopyAddress;
import io.varve.rpc.ReadDemand;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * The order in which a read that demands a visible seq_no asks copies.
 *
 * <pre>
 *   1. those that are known to show it, by preference
 *   2. the preferred one, for a moment                 (if it is a replica)
 *   3. the primary, which refreshes on demand          (if the preference allows it)
 *   4. the others, while there is time
 * </pre>
 *
 * <p>Known values may be out of date: each copy checks the demand itself. Without a demand, each
 * copy is asked once, by preference.
 */
final class ReadSchedule {

  /** No limit but the read's own. */
  static final long ALL = Long.MAX_VALUE;

  /**
   * One copy to ask.
   *
   * @param mostMillis how long it may wait
   * @param nudge whether to refresh the primary first, without asking it
   * @param fits whether it is known to show what is demanded
   */
  record Attempt(CopyAddress copy, long mostMillis, boolean nudge, boolean fits) {

    private Attempt(CopyAddress copy, long mostMillis, boolean nudge) {
      this(copy, mostMillis, nudge, false);
    }

    /** A copy that is asked in place of the primary. */
    static Attempt substitute(CopyAddress copy, long mostMillis) {
      return new Attempt(copy, mostMillis, false);
    }
  }

  private ReadSchedule() {}

  /**
   * @param preferred the copies that may be asked, best first
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
