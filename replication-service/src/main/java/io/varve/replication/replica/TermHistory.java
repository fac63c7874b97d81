package io.varve.replication.replica;

import java.util.Map;
import java.util.TreeMap;

/**
 * The terms under which the operations of a shard were accepted, as observed by a replica that
 * applies them. A commit records the term at its position in the log.
 */
final class TermHistory {

  private final TreeMap<Long, Long> termByFirstSeqNo = new TreeMap<>();

  /** {@code term} was in force just before the operation {@code nextSeqNo}. */
  TermHistory(long term, long nextSeqNo) {
    termByFirstSeqNo.put(nextSeqNo - 1, term);
  }

  /** Records an accepted operation; must be called in the order of the log. */
  synchronized void accepted(long seqNo, long term) {
    if (termByFirstSeqNo.lastEntry().getValue() != term) {
      termByFirstSeqNo.put(seqNo, term);
    }
  }

  /** The term right after the operation before {@code nextSeqNo}. */
  synchronized long before(long nextSeqNo) {
    Map.Entry<Long, Long> entry = termByFirstSeqNo.floorEntry(nextSeqNo - 1);
    if (entry == null) {
      throw new IllegalArgumentException("seq_no " + nextSeqNo + " precedes the known history");
    }
    // Queries are never for earlier operations than before.
    termByFirstSeqNo.headMap(entry.getKey()).clear();
    return entry.getValue();
  }
}
