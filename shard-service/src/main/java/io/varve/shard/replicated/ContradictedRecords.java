package io.varve.shard.replicated;

import java.util.Set;
import java.util.TreeMap;

/**
 * The seq_nos of records of which a member has another version than the primary, or none, although
 * it says that it holds everything up to them. They are not replicated, whatever that member says,
 * until it confirms them or is no member any more. Not thread-safe: guarded by the lock of {@link
 * ReplicatedRecords}.
 */
final class ContradictedRecords {

  private final TreeMap<Long, Member> bySeqNo = new TreeMap<>();

  void add(long seqNo, Member by) {
    bySeqNo.put(seqNo, by);
  }

  void confirmed(long seqNo) {
    bySeqNo.remove(seqNo);
  }

  void retain(Set<Member> members) {
    bySeqNo.values().removeIf(member -> !members.contains(member));
  }

  boolean contains(long seqNo) {
    return bySeqNo.containsKey(seqNo);
  }

  boolean isEmpty() {
    return bySeqNo.isEmpty();
  }

  /** The largest seq_no that is not above {@code seqNo} and has no contradicted one up to it. */
  long upTo(long seqNo) {
    return bySeqNo.isEmpty() ? seqNo : Math.min(seqNo, bySeqNo.firstKey() - 1);
  }

  Set<Long> seqNos() {
    return Set.copyOf(bySeqNo.keySet());
  }
}
