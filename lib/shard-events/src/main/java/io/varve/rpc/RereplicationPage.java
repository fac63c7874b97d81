package io.varve.rpc;

/**
 * What the primary of a shard answers to one step of a re-replication job.
 *
 * @param term of the primary
 * @param incarnation of its process
 * @param nextSeqNo where the next step begins
 * @param endSeqNo where the job ends in this shard, exclusive
 * @param left documents that are not known to be replicated, after the first and the last step; in
 *     between they are not counted: -1
 * @param throttledMillis the time for which the limit of the node delayed the step
 */
public record RereplicationPage(
    long term,
    String incarnation,
    long nextSeqNo,
    long endSeqNo,
    long left,
    long throttledMillis,
    Outcomes outcomes) {

  /**
   * How the records of the step ended.
   *
   * @param newer records of which a copy holds a later version: the primary is about to catch up or
   *     to be replaced
   */
  public record Outcomes(long success, long error, long timeout, long newer) {

    public static final Outcomes NONE = new Outcomes(0, 0, 0, 0);

    public Outcomes plus(Outcomes other) {
      return new Outcomes(
          success + other.success,
          error + other.error,
          timeout + other.timeout,
          newer + other.newer);
    }

    public long checked() {
      return success + error + timeout + newer;
    }
  }

  public boolean done() {
    return nextSeqNo >= endSeqNo;
  }
}
