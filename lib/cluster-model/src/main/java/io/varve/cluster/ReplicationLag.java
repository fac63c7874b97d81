package io.varve.cluster;

import io.varve.events.CopyProgress;

/**
 * Classifies a copy by its lag behind the primary.
 *
 * <pre>
 *   fit      it has all operations that the primary shows, or has lacked some only for a short time
 *   drained  it has lacked operations for longer than the limit: searches go to other copies, until
 *            the oldest operation that it lacks is half as old, or nothing is lacking
 *   stale    it lacks operations, and more checkpoints and for longer than the limits: it is failed
 *            and rebuilt, if the cluster settings ask for that
 * </pre>
 *
 * A merge publishes checkpoints without operations: a copy that lacks only these does not lag.
 */
public final class ReplicationLag {

  /** The limits in the cluster settings; a time of 0 means never. */
  public record Limits(long drainMillis, int checkpoints, long staleMillis, long failMillis) {

    public static Limits of(ClusterState state) {
      return new Limits(
          ClusterSettings.millis(state, ClusterSettings.DRAIN_TIME),
          Integer.parseInt(ClusterSettings.value(state, ClusterSettings.PRESSURE_CHECKPOINTS)),
          ClusterSettings.millis(state, ClusterSettings.PRESSURE_TIME),
          ClusterSettings.millis(state, ClusterSettings.FAIL_TIME));
    }
  }

  private ReplicationLag() {}

  /**
   * @param before whether it was drained at the last check
   * @param shownSeqNo the highest visible {@code _seq_no} of the primary
   */
  public static boolean isDrained(
      boolean before, CopyProgress copy, long shownSeqNo, Limits limits) {
    long limit = before ? limits.drainMillis() / 2 : limits.drainMillis();
    return limits.drainMillis() > 0 && lacks(copy, shownSeqNo) && copy.millisBehind() > limit;
  }

  public static boolean isToBeFailed(CopyProgress copy, long shownSeqNo, Limits limits) {
    return limits.failMillis() > 0
        && lacks(copy, shownSeqNo)
        && copy.checkpointsBehind() > limits.checkpoints()
        && copy.millisBehind() > Math.max(limits.staleMillis(), limits.failMillis());
  }

  private static boolean lacks(CopyProgress copy, long shownSeqNo) {
    return copy.visibleSeqNo() < shownSeqNo;
  }
}
