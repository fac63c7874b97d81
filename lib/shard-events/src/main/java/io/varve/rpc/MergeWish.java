package io.varve.rpc;

/**
 * A merge that somebody asked for.
 *
 * @param maxSegments how many segments may be left; {@link #AS_DUE} for what is due anyway
 * @param onlyExpungeDeletes rewrites only segments with many deleted documents, whatever their
 *     number
 * @param flush whether a commit follows
 */
public record MergeWish(int maxSegments, boolean onlyExpungeDeletes, boolean flush) {

  public static final int AS_DUE = -1;

  public MergeWish {
    if (maxSegments == 0 || maxSegments < AS_DUE) {
      throw new IllegalArgumentException("[max_num_segments] must be positive: " + maxSegments);
    }
  }
}
