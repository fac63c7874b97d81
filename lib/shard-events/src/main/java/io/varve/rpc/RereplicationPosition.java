package io.varve.rpc;

/**
 * The position of a re-replication job in a shard, as reported by its primary in that run of its
 * process.
 *
 * @param incarnation of the primary's process
 * @param nextSeqNo the first seq_no that the job has not passed
 * @param endSeqNo the end of the job in the shard, exclusive; negative before its first step
 */
public record RereplicationPosition(long term, String incarnation, long nextSeqNo, long endSeqNo) {

  /** The beginning, under any primary. */
  public static final RereplicationPosition START = new RereplicationPosition(0, "", 0, -1);

  /** Whether the same primary reported it in the same run. */
  public boolean saidBy(long otherTerm, String otherIncarnation) {
    return term == otherTerm && incarnation.equals(otherIncarnation);
  }

  /**
   * The position at which a job continues under that primary. The knowledge of another primary is
   * lost, so a job that only proves starts again. A job that writes continues, because its writes
   * are in the log. It also starts again if the log may have lost them.
   *
   * @param isWritten whether the job writes, and the log has everything that it has written
   */
  public RereplicationPosition under(long itsTerm, String itsIncarnation, boolean isWritten) {
    return isWritten || saidBy(itsTerm, itsIncarnation) ? this : START;
  }
}
