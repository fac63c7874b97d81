package io.varve.log;

import java.util.Collection;
import java.util.List;

/**
 * Decides how much of a partition's start may be forgotten.
 *
 * <pre>
 *   before = min(needs, end) - margin        and only if that is at least minStep past the start
 * </pre>
 *
 * A need is the first offset that somebody would have to read again: a copy that restarts from its
 * commit, a replica that starts from the newest manifest, a cluster that follows. INVARIANT: what
 * is forgotten stands before every need. Nobody who needs anything is known: nothing is forgotten,
 * since a list of needs that could not be had looks the same.
 *
 * @param marginRecords kept before the lowest need, for whoever is about to announce one
 * @param minStepRecords forgetting fewer isn't worth a request
 */
public record RetentionPlanner(long marginRecords, long minStepRecords) {

  /** The records from {@code fromOffset} on are needed by {@code owner}. */
  public record Need(String owner, long fromOffset) {
    public Need {
      if (fromOffset < 0) {
        throw new IllegalArgumentException(
            "a need begins at an offset >= 0, was " + fromOffset + " for " + owner);
      }
    }
  }

  /** What to do. */
  public sealed interface Plan {

    /** To hand to {@link PartitionLog#truncateBefore}. */
    record ForgetBefore(long offset) implements Plan {}

    /** Nothing, and why. */
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
      return new Plan.Keep("nobody has said what is needed");
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
