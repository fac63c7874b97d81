package io.varve.shard.replicated;

import io.varve.rpc.HoldsWire.Version;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * Which seq_nos are known to be replicated, and which of the others count as not known; see {@link
 * ReplicatedRecords}. Not thread-safe: guarded by its lock.
 */
final class KnownRecords {

  private final long base;
  private final SeqNoSet replicated = new SeqNoSet();
  private final SeqNoSet late = new SeqNoSet();
  private final ContradictedRecords contradicted = new ContradictedRecords();
  private long exonerated;

  /**
   * @param base below it nothing is known at the start
   */
  KnownRecords(long base) {
    this.base = base;
  }

  /** An absent document may have been deleted by any operation, so all of them must be held. */
  boolean isReplicated(Version version) {
    return version.absent()
        ? upTo() >= version.seqNo()
        : replicated.contains(version.seqNo()) && !contradicted.contains(version.seqNo());
  }

  /** Whether a record that is not replicated counts as not known, in contrast to on its way. */
  boolean isUnknown(long seqNo) {
    return seqNo < base || late.contains(seqNo) || contradicted.contains(seqNo);
  }

  /** The seq_no up to which all records are replicated; -1 for none. */
  long upTo() {
    return contradicted.upTo(replicated.floor());
  }

  /** The highest seq_no that is replicated; -1 for none. */
  long highest() {
    return replicated.highest();
  }

  /** Members proved these, inclusive, without being asked for each. */
  void prove(long from, long to) {
    long before = replicated.floor();
    replicated.add(from, to);
    exonerated += Math.max(0, Math.min(base - 1, replicated.floor()) - before);
  }

  /** All members confirmed this record when they were asked for it. */
  void confirmed(long seqNo) {
    replicated.add(seqNo, seqNo);
    contradicted.confirmed(seqNo);
  }

  void contradicted(long seqNo, Member by) {
    contradicted.add(seqNo, by);
  }

  /** Contradictions of others end. */
  void members(Set<Member> members) {
    contradicted.retain(members);
  }

  /** Members did not answer in time for these, inclusive. */
  void late(long from, long to) {
    late.add(from, to);
  }

  boolean hasUnknown() {
    return !contradicted.isEmpty() || replicated.floor() < Math.max(base - 1, late.highest());
  }

  /**
   * Whether the document with a seq_no is not known to be replicated, as of this call.
   *
   * @param asked seq_nos of documents for which the members are being asked
   */
  LongPredicate unreplicated(Set<Long> asked) {
    SeqNoSet proven = replicated.copy();
    SeqNoSet notInTime = late.copy();
    Set<Long> other = contradicted.seqNos();
    return seqNo ->
        other.contains(seqNo)
            || ((seqNo < base || notInTime.contains(seqNo) || asked.contains(seqNo))
                && !proven.contains(seqNo));
  }

  /** How many seq_nos below {@code base} were proven without being asked for each. */
  long exonerated() {
    return exonerated;
  }
}
