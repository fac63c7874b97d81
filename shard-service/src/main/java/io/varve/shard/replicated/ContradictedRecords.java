package io.varve.shard.replicated;

import io.varve.rpc.HoldsWire.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The records of which members have no version, or a different one from the primary's, although
 * they report that they hold everything up to these records; and the documents that only members
 * have. Regardless of these reports, such records are not replicated until the members confirm them
 * by id or are no longer members. Not thread-safe: guarded by the lock of {@link
 * ReplicatedRecords}.
 *
 * <p>Reports of these members do not prove a later version of such a document, or its delete,
 * either. Once all members have confirmed a later version by id, the contradicted version can't be
 * read any more, and its contradiction ends.
 */
final class ContradictedRecords {

  /**
   * Above this number of documents that only members have, no document that the primary lacks is
   * replicated.
   */
  static final int MOST_ABSENT = 1_000;

  /** A version of a document, and the members that contradict it. */
  private record Contradicted(String id, Set<Member> by) {}

  private final TreeMap<Long, Contradicted> bySeqNo = new TreeMap<>();
  private final Map<String, TreeSet<Long>> seqNosById = new HashMap<>();
  private final Map<String, Set<Member>> absent = new HashMap<>();
  private final Set<Member> tooMany = new HashSet<>();

  void add(Version version, Member by) {
    if (!version.absent()) {
      bySeqNo
          .computeIfAbsent(version.seqNo(), _ -> new Contradicted(version.id(), new HashSet<>()))
          .by()
          .add(by);
      seqNosById.computeIfAbsent(version.id(), _ -> new TreeSet<>()).add(version.seqNo());
    } else if (absent.size() < MOST_ABSENT || absent.containsKey(version.id())) {
      absent.computeIfAbsent(version.id(), _ -> new HashSet<>()).add(by);
    } else {
      tooMany.add(by);
    }
  }

  /** All members confirmed it. */
  void confirmed(Version version) {
    if (version.absent()) {
      absent.remove(version.id());
    }
    TreeSet<Long> ofDocument = seqNosById.get(version.id());
    if (ofDocument != null) {
      List.copyOf(ofDocument.headSet(version.seqNo(), true)).forEach(this::end);
    }
  }

  private void end(long seqNo) {
    Contradicted ended = bySeqNo.remove(seqNo);
    if (ended != null) {
      seqNosById.computeIfPresent(
          ended.id(), (_, left) -> left.remove(seqNo) && left.isEmpty() ? null : left);
    }
  }

  void retain(Set<Member> members) {
    List<Long> ended = new ArrayList<>();
    bySeqNo.forEach((seqNo, version) -> {
      version.by().retainAll(members);
      if (version.by().isEmpty()) {
        ended.add(seqNo);
      }
    });
    ended.forEach(this::end);
    absent
        .values()
        .removeIf(by -> {
          by.retainAll(members);
          return by.isEmpty();
        });
    tooMany.retainAll(members);
  }

  boolean contains(Version version) {
    TreeSet<Long> ofDocument = seqNosById.get(version.id());
    if (ofDocument != null && ofDocument.first() <= version.seqNo()) {
      return true;
    }
    return version.absent() && (absent.containsKey(version.id()) || !tooMany.isEmpty());
  }

  boolean isEmpty() {
    return bySeqNo.isEmpty() && absent.isEmpty() && tooMany.isEmpty();
  }

  /** The largest seq_no that is not above {@code seqNo} and has no contradicted one up to it. */
  long upTo(long seqNo) {
    return bySeqNo.isEmpty() ? seqNo : Math.min(seqNo, bySeqNo.firstKey() - 1);
  }

  /** The contradicted records that the primary has or had. */
  Set<Long> seqNos() {
    return Set.copyOf(bySeqNo.keySet());
  }

  /** The ids of these records. */
  Set<String> ids() {
    return Set.copyOf(seqNosById.keySet());
  }
}
