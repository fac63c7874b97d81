package io.varve.shard.replicated;

import io.varve.rpc.HoldsWire.Version;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The records of which members have another version than the primary, or none, although they say
 * that they hold everything up to them; and documents that only members have. They are not
 * replicated, whatever these members say, until they confirm them or are no members any more. Not
 * thread-safe: guarded by the lock of {@link ReplicatedRecords}.
 */
final class ContradictedRecords {

  /** Of more documents that only members have, none is replicated that the primary lacks. */
  static final int MOST_ABSENT = 1_000;

  private final TreeMap<Long, Set<Member>> bySeqNo = new TreeMap<>();
  private final Map<String, Set<Member>> absent = new HashMap<>();
  private final Set<Member> tooMany = new HashSet<>();

  void add(Version version, Member by) {
    if (!version.absent()) {
      bySeqNo.computeIfAbsent(version.seqNo(), _ -> new HashSet<>()).add(by);
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
    } else {
      bySeqNo.remove(version.seqNo());
    }
  }

  void retain(Set<Member> members) {
    retain(bySeqNo, members);
    retain(absent, members);
    tooMany.retainAll(members);
  }

  private static void retain(Map<?, Set<Member>> contradicting, Set<Member> members) {
    contradicting
        .values()
        .removeIf(by -> {
          by.retainAll(members);
          return by.isEmpty();
        });
  }

  boolean contains(Version version) {
    return version.absent()
        ? absent.containsKey(version.id()) || !tooMany.isEmpty()
        : bySeqNo.containsKey(version.seqNo());
  }

  boolean isEmpty() {
    return bySeqNo.isEmpty() && absent.isEmpty() && tooMany.isEmpty();
  }

  /** The largest seq_no that is not above {@code seqNo} and has no contradicted one up to it. */
  long upTo(long seqNo) {
    return bySeqNo.isEmpty() ? seqNo : Math.min(seqNo, bySeqNo.firstKey() - 1);
  }

  /** Of records that the primary has. */
  Set<Long> seqNos() {
    return Set.copyOf(bySeqNo.keySet());
  }
}
