package io.varve.shard.replicated;

import io.varve.rpc.HoldsWire.Answer;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * The members of a shard, and the seq_no up to which each of them has reported that it holds all
 * operations.
 *
 * <pre>
 *   members   the started copies besides the primary, and those that were admitted to start
 *   opening   a member since its last admission
 *
 *   event                          opening of the member
 *   it becomes a member            a new one
 *   it is admitted, also again     a new one
 *   it is no longer a member       none
 * </pre>
 *
 * <p>A copy that fails is opened again on its node under the same id, and the cluster state does
 * not change. It then holds what it has committed, and what the log still has. The primary learns
 * this only from its admission, for which a copy asks after each time that it is opened. INVARIANT:
 * reports and answers count only for the opening to which the question was sent. So an admission
 * discards all that the copy reported before it, and answers to earlier questions, which may come
 * from the earlier opening, do not count.
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
  private final Map<Opening, Long> heldUpTo = new HashMap<>();
  private final Set<Member> admitted = new LinkedHashSet<>();

  /** In the order of the members; so are the openings. */
  private Map<Member, Opening> members = Map.of();

  private Set<Opening> openings = Set.of();
  private long newestNumber;

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
    Set<Member> present = new LinkedHashSet<>(newest.started());
    present.addAll(admitted);
    Map<Member, Opening> now = new LinkedHashMap<>();
    for (Member member : present) {
      Opening known = members.get(member);
      now.put(member, known == null ? opened(member) : known);
    }
    replace(now);
  }

  void admit(Member member) {
    if (!members.containsKey(member)) {
      admitted.add(member);
    }
    Map<Member, Opening> now = new LinkedHashMap<>(members);
    now.put(member, opened(member));
    replace(now);
  }

  private Opening opened(Member member) {
    newestNumber++;
    return new Opening(member, newestNumber);
  }

  private void replace(Map<Member, Opening> now) {
    members = Collections.unmodifiableMap(now);
    openings = Collections.unmodifiableSet(new LinkedHashSet<>(now.values()));
    heldUpTo.keySet().retainAll(openings);
  }

  Set<Member> members() {
    return members.keySet();
  }

  /** The present opening of each member. */
  Set<Opening> openings() {
    return openings;
  }

  /** Whether it is the present opening of a member. */
  boolean contains(Opening opening) {
    return openings.contains(opening);
  }

  /** Whether the answer is that of a member, in the opening and the run that were asked. */
  boolean isOf(Opening asked, Answer answer) {
    return contains(asked)
        && answer.copyId().equals(asked.member().copyId())
        && answer.incarnation().equals(asked.member().incarnation());
  }

  void answered(Opening asked, Answer answer) {
    if (answer.term() <= term) {
      long proven = answer.term() < term ? Math.min(answer.seqNo(), base - 1) : answer.seqNo();
      heldUpTo.merge(asked, proven, Math::max);
    }
  }

  /** The seq_no up to which the member reported all operations; -1 if it reported none. */
  long heldUpTo(Opening opening) {
    return heldUpTo.getOrDefault(opening, -1L);
  }

  /**
   * The seq_no up to which all members, and the primary, which has applied {@code applied}, hold
   * all operations.
   */
  long heldByAll(long applied) {
    long all = applied;
    for (Opening opening : openings) {
      all = Math.min(all, heldUpTo(opening));
    }
    return all;
  }
}
