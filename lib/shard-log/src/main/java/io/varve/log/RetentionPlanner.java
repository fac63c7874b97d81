package io.varve.log;

import java.util.Collection;
import java.util.List;

/**
 * Decides how many records at the start of a partition may be deleted.
 *
 * <pre>
 *   before = min(needs, end) - margin        only if at least minStep beyond the start
 * </pre>
 *
 * A need is the first offset that a consumer would have to read again: a copy that restarts from
 * its commit, a replica that starts from the newest manifest, a follower cluster. INVARIANT: every
 * deleted record is before every need. An empty list of needs deletes nothing, since it looks the
 * same as needs that could not be determined.
 *
 * @param marginRecords kept before the lowest need, for consumers that are about to register one
 * @param minStepRecords deleting fewer records is not worth a request
 */
public record RetentionPlanner(long marginRecords, long minStepRecords) {

  /** {@code owner} needs the records from {@code fromOffset} on. */
  public record Need(String owner, long fromOffset) {
    public Need {
      if (fromOffset < 0) {
        throw new IllegalArgumentException(
            "a need begins at an offset >= 0, was " + fromOffset + " for " + owner);
      }
    }
  }

  public sealed interface Plan {

    /** Call {@link PartitionLog#truncateBefore} with this offset. */
    record ForgetBefore(long offset) implements Plan {}

    /** Delete nothing, for this reason. */
    record Keep(String reason) implements Plan {}
  }

  public RetentionPlanner {
    if (marginRecords < 0 || minStepRecords < 1) {
      throw new IllegalArgumentException(
          "margin must be >= 0 and step >= 1, were " + marginRecords + " and " + minStepRecords);
    }
  }

  public Plan plan(long startOffset, long endOffset, Collection<Need> needs) {
    if (needs.isEmpty()) {
      return new Plan.Keep("no needs are known");
    }
    Need lowest = lowest(List.copyOf(needs));
    long before = Math.min(lowest.fromOffset(), endOffset) - marginRecords;
    if (before - startOffset >= minStepRecords) {
      return new Plan.ForgetBefore(before);
    }
    return new Plan.Keep(
        lowest.owner() + " needs offset " + lowest.fromOffset() + ", the start is " + startOffset);
  }

  private static Need lowest(List<Need> needs) {
    Need lowest = needs.getFirst();
    for (Need need : needs) {
      lowest = need.fromOffset() < lowest.fromOffset() ? need : lowest;
    }
    return lowest;
  }
}
