package io.varve.rpc;

import io.varve.rpc.RereplicationPage.Outcomes;

/**
 * The progress of a re-replication job in one shard. It advances only by the answers of the shard's
 * primary: a step without an answer is repeated from the same position.
 *
 * @param at the position at which the next step, or a job that is continued later, begins
 * @param outcomes of all answered steps of this job
 * @param left the records that it still has to process, estimated between the first and the last
 *     step
 * @param restarted whether it started again because another primary answered, or because the log
 *     may have lost its writes
 */
public record RereplicationProgress(
    RereplicationPosition at, Outcomes outcomes, long left, boolean restarted, boolean done) {

  /** A job that begins or continues at that position. */
  public static RereplicationProgress from(RereplicationPosition at) {
    return new RereplicationProgress(at, Outcomes.NONE, 0, false, false);
  }

  /** After its records were counted. */
  public RereplicationProgress withLeft(long counted) {
    return new RereplicationProgress(at, outcomes, counted, restarted, done);
  }

  /** After the versions that the job itself found were proven. */
  public RereplicationProgress withProofs(Outcomes more) {
    return new RereplicationProgress(at, outcomes.plus(more), left, restarted, done);
  }

  /**
   * After the answer to a step.
   *
   * @param writes whether the job writes the records
   */
  public RereplicationProgress after(RereplicationPage page, boolean writes) {
    RereplicationPosition next = page.next();
    boolean began = !at.equals(RereplicationPosition.START);
    boolean continues =
        writes ? at.endSeqNo() == next.endSeqNo() : at.saidBy(next.term(), next.incarnation());
    long passed = writes ? page.outcomes().checked() : page.outcomes().proofs().success();
    return new RereplicationProgress(
        next,
        outcomes.plus(page.outcomes()),
        page.left() < 0 ? Math.max(0, left - passed) : page.left(),
        restarted || (began && !continues),
        page.done());
  }
}
