package io.varve.replication.replica;

import java.util.Map;
import java.util.TreeMap;

/**
 * Which term each operation of a shard was accepted under, as a replica that applies them learns
 * it: what a commit needs to say which term was in force at its place in the log.
 */
final class TermHistory {

  private final TreeMap<Long, Long> termByFirstSeqNo = new TreeMap<>();

  /** {@code term} was in force just before the operation {@code nextSeqNo}. */
  TermHistory(long term, long nextSeqNo) {
    termByFirstSeqNo.put(nextSeqNo - 1, term);
  }

  /** An operation was accepted; they come in order. */
  synchronized void accepted(long seqNo, long term) {
    if (termByFirstSeqNo.lastEntry().getValue() != term) {
      termByFirstSeqNo.put(seqNo, term);
    }
  }

  /** The term in force right behind the operation before {@code nextSeqNo}. */
  synchronized long before(long nextSeqNo) {
    Map.Entry<Long, Long> entry = termByFirstSeqNo.floorEntry(nextSeqNo - 1);
    if (entry == null) {
      throw new IllegalArgumentException("seq_no " + nextSeqNo + " is before all that is known");
    }
    // Queries never go back behind an earlier answer.
    termByFirstSeqNo.headMap(entry.getKey()).clear();
    return entry.getValue();
  }
}
