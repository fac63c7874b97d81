package io.varve.rpc;

/**
 * Where a re-replication job is in a shard, as its primary said in that run of its process.
 *
 * @param incarnation of the primary's process
 * @param nextSeqNo the first seq_no that the job has not passed
 * @param endSeqNo where the job ends in the shard, exclusive; negative before its first step
 */
public record RereplicationPosition(long term, String incarnation, long nextSeqNo, long endSeqNo) {

  /** The beginning, under whatever primary. */
  public static final RereplicationPosition START = new RereplicationPosition(0, "", 0, -1);

  /** Whether it was said by the same primary in the same run. */
  public boolean saidBy(long otherTerm, String otherIncarnation) {
    return term == otherTerm && incarnation.equals(otherIncarnation);
  }

  /**
   * Where a job goes on under that primary. What another one knew is gone, so a job that only
   * proves begins again; one that writes goes on, because its writes are in the log.
   */
  public RereplicationPosition under(long itsTerm, String itsIncarnation, boolean writes) {
    return writes || saidBy(itsTerm, itsIncarnation) ? this : START;
  }
}
