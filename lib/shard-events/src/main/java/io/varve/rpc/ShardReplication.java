package io.varve.rpc;

/**
 * What the primary of a shard of a strongly consistent index knows of its records.
 *
 * @param copies the copies that must hold a record, including the primary
 * @param replicatedSeqNo all of them hold everything up to this seq_no; -1 for none
 * @param appliedSeqNo the primary has applied everything up to this seq_no
 * @param unreplicatedRecords documents in state 2 or 3
 */
public record ShardReplication(
    int copies, long replicatedSeqNo, long appliedSeqNo, long unreplicatedRecords, Counts counts) {

  /**
   * How questions for single records ended since the primary's process started.
   *
   * @param exonerated records that the copies proved by saying how far they are
   */
  public record Counts(long success, long error, long timeout, long exonerated) {}
}
