package io.varve.cluster;

/**
 * The revival of a shard whose log lost records: its primary first appends a revival of this term
 * to the log, which then continues after the operations in the primary's folder. The revival stays
 * in the state until such a primary, of a later term, has started.
 *
 * @param term of the record in the log
 * @param nextSeqNo the seq_no at which the most advanced copy continues
 * @param fenceTerm the newest term of that copy's operations
 */
public record Revival(long term, long nextSeqNo, long fenceTerm) {

  public Revival {
    if (term <= fenceTerm) {
      throw new IllegalArgumentException(
          "a revival of operations of term " + fenceTerm + " needs a later term, was " + term);
    }
  }
}
