package io.varve.cluster;

import io.varve.events.CopyProgress;

/**
 * What follows from how far a copy is behind its primary.
 *
 * <pre>
 *   fit      it lacks nothing that the primary shows, or not for long
 *   drained  it has lacked operations for longer than the limit: searches go to other copies, until
 *            the oldest of what it lacks is half as old, or nothing is lacking
 *   stale    it lacks operations, and more checkpoints and for longer than the limits: it is given
 *            up and built anew, where the cluster asks for that
 * </pre>
 *
 * A merge brings checkpoints without operations: a copy that only lacks those shows what it should.
 */
public final class ReplicationLag {

  /** As the cluster's settings have them; a time of 0 stands for never. */
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
   * @param before whether it was drained when that was asked last
   * @param shownSeqNo what the primary shows
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
