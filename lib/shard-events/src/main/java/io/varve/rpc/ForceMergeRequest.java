package io.varve.rpc;

/**
 * A force merge request.
 *
 * @param maxSegments maximum number of segments to leave; {@link #AS_DUE} to run only merges that
 *     are due
 * @param onlyExpungeDeletes rewrites only segments with many deleted documents, regardless of their
 *     number
 * @param flush whether to commit afterwards
 */
public record ForceMergeRequest(int maxSegments, boolean onlyExpungeDeletes, boolean flush) {

  public static final int AS_DUE = -1;

  public ForceMergeRequest {
    if (maxSegments == 0 || maxSegments < AS_DUE) {
      throw new IllegalArgumentException("[max_num_segments] must be positive: " + maxSegments);
    }
  }
}
