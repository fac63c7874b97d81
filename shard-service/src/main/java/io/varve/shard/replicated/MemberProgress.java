package io.varve.shard.replicated;

import io.varve.rpc.HoldsWire.Answer;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The members of a shard, and the seq_no up to which each of them has reported that it holds all
 * operations.
 *
 * <pre>
 *   members   the started copies besides the primary, and those that were admitted to start
 * </pre>
 *
 * <p>An answer of an earlier term proves only seq_nos below the first one of this primary: from
 * this seq_no on, that copy may have other operations than the log. An answer of a later term
 * proves nothing.
 *
 * <p>Not thread-safe: guarded by the lock of {@link ReplicatedRecords}.
 */
final class MemberProgress {

  private final long term;
  private final long base;
  private final Map<Member, Long> heldUpTo = new HashMap<>();
  private final Set<Member> admitted = new HashSet<>();
  private Set<Member> members = Set.of();

  /**
   * @param base the first seq_no that the primary of {@code term} assigns
   */
  MemberProgress(long term, long base) {
    this.term = term;
    this.base = base;
  }

  /** The copies in a newer state of the cluster. */
  void replace(Members newest) {
    admitted.retainAll(newest.assigned());
    admitted.removeAll(newest.started());
    Set<Member> now = new HashSet<>(newest.started());
    now.addAll(admitted);
    members = Set.copyOf(now);
    heldUpTo.keySet().retainAll(members);
  }

  void admit(Member member) {
    if (!members.contains(member)) {
      admitted.add(member);
      Set<Member> now = new HashSet<>(members);
      now.add(member);
      members = Set.copyOf(now);
    }
  }

  Set<Member> members() {
    return members;
  }

  /** Whether the answer is that of a member, in the run that the cluster state names. */
  boolean isOf(Member asked, Answer answer) {
    return members.contains(asked)
        && answer.copyId().equals(asked.copyId())
        && answer.incarnation().equals(asked.incarnation());
  }

  void answered(Member member, Answer answer) {
    if (answer.term() <= term) {
      long proven = answer.term() < term ? Math.min(answer.seqNo(), base - 1) : answer.seqNo();
      heldUpTo.merge(member, proven, Math::max);
    }
  }

  /** The seq_no up to which the member reported all operations; -1 if it reported none. */
  long heldUpTo(Member member) {
    return heldUpTo.getOrDefault(member, -1L);
  }

  /**
   * The seq_no up to which all members, and the primary, which has applied {@code applied}, hold
   * all operations.
   */
  long heldByAll(long applied) {
    long all = applied;
    for (Member member : members) {
      all = Math.min(all, heldUpTo(member));
    }
    return all;
  }
}
