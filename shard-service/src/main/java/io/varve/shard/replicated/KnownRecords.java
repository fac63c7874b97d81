package io.varve.shard.replicated;

import io.varve.rpc.HoldsWire.Version;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongPredicate;

/**
 * The seq_nos that are known to be replicated, and those of the others that count as unreplicated;
 * see {@link ReplicatedRecords}. Not thread-safe: guarded by its lock.
 */
final class KnownRecords {

  private final long base;
  private final SeqNoSet replicated = new SeqNoSet();
  private SeqNoSet late = new SeqNoSet();
  private final ContradictedRecords contradicted = new ContradictedRecords();
  private long exonerated;

  /** The seq_no up to which every copy was confirmed to lack a document; -1 for none. */
  private long absentUpTo = -1;

  /**
   * @param base the first seq_no of the primary; below it, nothing is known at the start
   */
  KnownRecords(long base) {
    this.base = base;
  }

  /** An absent document may have been deleted by any operation, so all of them must be held. */
  boolean isReplicated(Version version) {
    boolean held =
        version.absent() ? upTo() >= version.seqNo() : replicated.contains(version.seqNo());
    return held && !contradicted.contains(version);
  }

  /**
   * Whether a record that is not replicated counts as unreplicated, rather than as being
   * replicated.
   */
  boolean isUnknown(Version version) {
    return version.seqNo() < base
        || late.contains(version.seqNo())
        || contradicted.contains(version);
  }

  /** The seq_no up to which all records are replicated; -1 for none. */
  long upTo() {
    return contradicted.upTo(replicated.floor());
  }

  /** The highest seq_no that every member was known to hold, or to lack; -1 for none. */
  long highest() {
    return Math.max(replicated.highest(), absentUpTo);
  }

  /** Members have proven these seq_nos, inclusive, without a query for each. */
  void prove(long from, long to) {
    long before = replicated.floor();
    replicated.add(from, to);
    exonerated += Math.max(0, Math.min(base - 1, replicated.floor()) - before);
    if (late.highest() >= 0 && late.highest() <= replicated.floor()) {
      late = new SeqNoSet();
    }
  }

  /** All members have confirmed this record in a query for it. */
  void confirmed(Version version) {
    if (version.absent()) {
      absentUpTo = Math.max(absentUpTo, version.seqNo());
    } else {
      replicated.add(version.seqNo(), version.seqNo());
    }
    contradicted.confirmed(version);
  }

  boolean hasContradictions() {
    return !contradicted.isEmpty();
  }

  Set<String> contradictedIds() {
    return contradicted.ids();
  }

  void contradicted(Version version, Member by) {
    contradicted.add(version, by);
  }

  /** Ends the contradictions of all other copies. */
  void members(Set<Member> members) {
    contradicted.retain(members);
  }

  /** Members did not confirm these seq_nos, inclusive, in time. */
  void late(long from, long to) {
    // Seq_nos below the base count as unreplicated in any case; without them, both sets together
    // keep one bit for each seq_no.
    late.add(Math.max(base, from), to);
  }

  boolean hasUnknown() {
    return !contradicted.isEmpty() || replicated.floor() < Math.max(base - 1, late.highest());
  }

  /**
   * Whether the document with a seq_no is not known to be replicated, as of this call.
   *
   * @param asked seq_nos of documents for which the members are being asked
   * @param disputed the present versions of the documents with {@link #contradictedIds}
   */
  LongPredicate unreplicated(Set<Long> asked, List<Version> disputed) {
    SeqNoSet proven = replicated.copy();
    SeqNoSet notInTime = late.copy();
    Set<Long> other = new HashSet<>(contradicted.seqNos());
    disputed.stream().filter(contradicted::contains).map(Version::seqNo).forEach(other::add);
    return seqNo ->
        other.contains(seqNo)
            || ((seqNo < base || notInTime.contains(seqNo) || asked.contains(seqNo))
                && !proven.contains(seqNo));
  }

  /** The number of seq_nos below {@code base} that were proven without a query for each. */
  long exonerated() {
    return exonerated;
  }
}
