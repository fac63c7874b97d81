package io.varve.rpc;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The replication state of the records of a shard of a strongly consistent index, as known to its
 * primary.
 *
 * @param copies the copies that must hold a record, including the primary
 * @param replicatedSeqNo all of them hold everything up to this seq_no; -1 for none
 * @param appliedSeqNo the primary has applied everything up to this seq_no
 * @param unreplicatedRecords documents in state 2 or 3
 * @param contradictions the newest ones that it found, oldest first
 */
public record ShardReplication(
    int copies,
    long replicatedSeqNo,
    long appliedSeqNo,
    long unreplicatedRecords,
    Counts counts,
    List<Contradiction> contradictions) {

  /** A process of an older version reports no contradictions. */
  public ShardReplication(
      int copies,
      long replicatedSeqNo,
      long appliedSeqNo,
      long unreplicatedRecords,
      Counts counts,
      @Nullable List<Contradiction> contradictions) {
    this.copies = copies;
    this.replicatedSeqNo = replicatedSeqNo;
    this.appliedSeqNo = appliedSeqNo;
    this.unreplicatedRecords = unreplicatedRecords;
    this.counts = counts;
    this.contradictions = contradictions == null ? List.of() : List.copyOf(contradictions);
  }

  /**
   * The outcomes of queries for single records since the primary's process started.
   *
   * @param exonerated records that the copies proved by reporting their positions
   */
  public record Counts(long success, long error, long timeout, long exonerated) {}

  /**
   * A record of which a copy has a version other than the primary's, although it holds everything
   * up to the seq_no.
   *
   * @param copyId of the copy that has another version
   * @param state the reaction: {@code open}, {@code copy_rebuilt}, {@code primary_rebuilt} or
   *     {@code undecided}
   */
  public record Contradiction(String id, long seqNo, long term, String copyId, String state) {}
}
