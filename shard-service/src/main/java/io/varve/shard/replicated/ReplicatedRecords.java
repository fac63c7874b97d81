package io.varve.shard.replicated;

import io.varve.log.OffsetWatcher;
import io.varve.rpc.HoldsWire.Answer;
import io.varve.rpc.HoldsWire.Verdict;
import io.varve.rpc.HoldsWire.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The records of a shard that all of its copies are known to hold, according to their answers to
 * the primary of one term in this run. They are kept in memory only, so a new primary starts
 * without them. Without I/O; thread-safe.
 *
 * <pre>
 *   members       the other copies that must hold a record, see {@link MemberProgress}
 *   replicated    the seq_nos that every member was known to hold at some time of this run
 *   base          the first seq_no of this primary; below it, nothing is known at the start
 *   late          seq_nos that count as unreplicated, because a member did not answer in time
 *   contradicted  records of which a member has another version, see {@link ContradictedRecords}
 *
 *   state of a version   its seq_no is
 *   REPLICATED           in {@code replicated}, and not {@code contradicted}
 *   RE_REPLICATING       not replicated, and there is a {@link Confirmation} for it
 *   UNREPLICATED         below {@code base}, in {@code late} or {@code contradicted}
 *   REPLICATING          any other
 * </pre>
 *
 * <p>A member that reports the seq_no up to which it holds everything proves all seq_nos of this
 * primary up to that seq_no and, with {@code appeals}, also those of former primaries. Without
 * {@code appeals}, records of former primaries are proven by id.
 *
 * <p>INVARIANTS: {@code replicated} only grows. A copy becomes a member before it starts, and
 * starts only when it holds everything up to {@link #admit}: so each member holds all that is
 * replicated, and shows no document that was confirmed to be absent. An answer counts only in the
 * {@link Opening} of the copy that was asked. Without {@code minInSync} copies, or without a
 * cluster state that names this primary, nothing becomes replicated.
 */
public final class ReplicatedRecords {

  /** The result of {@link #confirm}. */
  public sealed interface Step {

    /** All copies hold it. */
    record Replicated() implements Step {}

    /** The copies are being asked. */
    record Asking(Confirmation confirmation) implements Step {}

    /** There are too many waiters or queries. */
    record Refused(String reason) implements Step {}
  }

  private final long term;
  private final long base;
  private final KnownRecords records;
  private final OpenConfirmations confirmations = new OpenConfirmations();
  private final MemberProgress progress;
  private final OffsetWatcher heldByAll = new OffsetWatcher(-1);
  private final OffsetWatcher replicatedUpTo = new OffsetWatcher(-1);
  private Consumer<Confirmation> onQuestion = _ -> {};
  private boolean known;
  private RecordLimits limits;
  private long applied = -1;
  private long changes;

  /**
   * @param base the first seq_no that the primary of {@code term} assigns
   */
  public ReplicatedRecords(long term, long base, RecordLimits limits) {
    this.term = term;
    this.base = base;
    this.records = new KnownRecords(base);
    this.progress = new MemberProgress(term, base);
    this.limits = limits;
  }

  /** Calls the consumer with each new query, before it ends. */
  synchronized void onQuestion(Consumer<Confirmation> consumer) {
    onQuestion = consumer;
  }

  public synchronized void limits(RecordLimits newLimits) {
    limits = newLimits;
  }

  /** The state of a version that the primary holds. */
  public synchronized ReplicationState state(Version version) {
    if (records.isReplicated(version)) {
      return ReplicationState.REPLICATED;
    }
    if (confirmations.of(version) != null) {
      return ReplicationState.RE_REPLICATING;
    }
    return records.isUnknown(version)
        ? ReplicationState.UNREPLICATED
        : ReplicationState.REPLICATING;
  }

  /** The copies in a newer state of the cluster. */
  public void members(Members newest) {
    List<Runnable> endings = new ArrayList<>();
    synchronized (this) {
      known = newest.named();
      progress.replace(newest);
      records.members(progress.members());
      settle(endings);
    }
    endings.forEach(Runnable::run);
  }

  /** The primary has applied all operations up to this seq_no. */
  public void applied(long seqNo) {
    List<Runnable> endings = new ArrayList<>();
    synchronized (this) {
      applied = Math.max(applied, seqNo);
      settle(endings);
    }
    endings.forEach(Runnable::run);
  }

  /**
   * Makes a copy a member, in a new opening, before it starts. It must first hold everything up to
   * the returned seq_no, including records of former primaries, which these may still return.
   */
  public synchronized long admit(Member member) {
    progress.admit(member);
    return Math.max(base - 1, records.highest());
  }

  synchronized Set<Opening> openings() {
    return progress.openings();
  }

  /**
   * Confirms that every copy holds a version, by a query that all requests for this version share.
   *
   * @param nowMillis the present time
   */
  public Step confirm(Version version, long nowMillis) {
    List<Runnable> endings = new ArrayList<>();
    Step step;
    synchronized (this) {
      step = confirm(version, nowMillis, endings);
    }
    endings.forEach(Runnable::run);
    return step;
  }

  private Step confirm(Version version, long nowMillis, List<Runnable> endings) {
    if (records.isReplicated(version)) {
      return new Step.Replicated();
    }
    Confirmation shared = confirmations.of(version);
    if (shared == null && confirmations.size() >= limits.records()) {
      return new Step.Refused(confirmations.size() + " records are being confirmed");
    }
    Confirmation confirmation =
        shared == null ? new Confirmation(version, nowMillis + limits.timeoutMillis()) : shared;
    if (!confirmation.join(limits.waiters())) {
      return new Step.Refused(limits.waiters() + " requests wait for [" + version.id() + "]");
    }
    if (shared == null) {
      confirmations.add(confirmation);
      Consumer<Confirmation> asked = onQuestion;
      endings.add(() -> asked.accept(confirmation));
      changes++;
      // Only the new query is checked: a job adds thousands, and this call does not change others.
      settle(confirmation, endings);
    }
    return new Step.Asking(confirmation);
  }

  /** The versions for which that member must be asked, at most {@code most}. */
  synchronized List<Version> toAsk(Opening opening, int most) {
    return progress.contains(opening) ? confirmations.toAsk(opening, most) : List.of();
  }

  /**
   * A member answered the query for these versions.
   *
   * @return whether the answer counts; if not, the member may be asked again
   */
  boolean answered(Opening asked, List<Version> versions, Answer answer) {
    List<Runnable> endings = new ArrayList<>();
    synchronized (this) {
      boolean counts = progress.isOf(asked, answer) && answer.verdicts().size() == versions.size();
      if (!counts) {
        confirmations.unanswered(asked, versions);
        return false;
      }
      for (int i = 0; i < versions.size(); i++) {
        verdict(asked, versions.get(i), answer.verdicts().get(i), answer.term() > term, endings);
      }
      progress.answered(asked, answer);
      settle(endings);
    }
    endings.forEach(Runnable::run);
    return true;
  }

  /** The seq_no up to which the member reported all operations; -1 if it reported none. */
  synchronized long heldUpTo(Opening opening) {
    return progress.heldUpTo(opening);
  }

  /** A member did not answer; it may be asked again. */
  synchronized void unanswered(Opening asked, List<Version> versions) {
    confirmations.unanswered(asked, versions);
  }

  private void verdict(
      Opening by, Version version, Verdict verdict, boolean later, List<Runnable> endings) {
    Confirmation confirmation = confirmations.of(version);
    if (confirmation == null) {
      return;
    }
    // A copy that follows a later primary may have information about copies that are unknown here.
    switch (later ? Verdict.NEWER : verdict) {
      case HOLDS -> confirmation.heldBy(by);
      case BEHIND -> confirmation.unanswered(by);
      case NEWER -> end(confirmation, new Confirmation.Outcome.Newer(by.member(), later), endings);
      case OTHER -> {
        records.contradicted(version, by.member());
        end(confirmation, new Confirmation.Outcome.Contradicted(by.member()), endings);
      }
    }
  }

  /** Ends the queries that all present members have confirmed. */
  private void settle(List<Runnable> endings) {
    if (!mayProve()) {
      return;
    }
    long all = progress.heldByAll(applied);
    prove(limits.appeals() ? 0 : base, all);
    endings.add(() -> heldByAll.advanceTo(all));
    confirmations.all().forEach(open -> settle(open, endings));
    long upTo = records.upTo();
    endings.add(() -> replicatedUpTo.advanceTo(upTo));
  }

  private boolean mayProve() {
    return known && progress.members().size() + 1 >= limits.minInSync();
  }

  private void settle(Confirmation confirmation, List<Runnable> endings) {
    Version version = confirmation.version();
    boolean held = mayProve() && confirmation.isHeldBy(progress.openings());
    if (held) {
      records.confirmed(version);
      changes++;
    }
    if (held || records.isReplicated(version)) {
      end(confirmation, new Confirmation.Outcome.Replicated(), endings);
    }
  }

  private void end(
      Confirmation confirmation, Confirmation.Outcome outcome, List<Runnable> endings) {
    confirmations.remove(confirmation);
    changes++;
    endings.add(() -> confirmation.outcome().complete(outcome));
  }

  /** Ends the queries that have timed out; their records are not known to be replicated. */
  public void expire(long nowMillis) {
    endUnproven(open -> open.deadlineMillis() <= nowMillis, new Confirmation.Outcome.OutOfTime());
  }

  /** A member can't answer any query: open queries end, because it must hold their records. */
  void unable(Opening asked) {
    endUnproven(_ -> progress.contains(asked), new Confirmation.Outcome.Unable(asked.member()));
  }

  private void endUnproven(Predicate<Confirmation> which, Confirmation.Outcome outcome) {
    List<Runnable> endings = new ArrayList<>();
    synchronized (this) {
      for (Confirmation confirmation : confirmations.all()) {
        if (which.test(confirmation)) {
          if (!confirmation.version().absent()) {
            records.late(confirmation.version().seqNo(), confirmation.version().seqNo());
          }
          end(confirmation, outcome, endings);
        }
      }
    }
    endings.forEach(Runnable::run);
  }

  /** Uses the members' reports as the proof for all records, even without appeals. */
  public void appeal() {
    var _ = proven(_ -> true, () -> progress.heldByAll(applied));
  }

  /**
   * Uses a comparison of documents as the proof for all records up to a seq_no.
   *
   * @param with the copies that were compared
   * @return false if there are others now; then nothing is proven
   */
  boolean compared(Set<Opening> with, long upTo) {
    return proven(with::containsAll, () -> upTo);
  }

  private boolean proven(Predicate<Set<Opening>> by, LongSupplier upTo) {
    List<Runnable> endings = new ArrayList<>();
    synchronized (this) {
      if (!mayProve() || !by.test(progress.openings())) {
        return false;
      }
      prove(0, upTo.getAsLong());
      settle(endings);
    }
    endings.forEach(Runnable::run);
    return true;
  }

  /** A comparison found that a member has another version than this one, or none. */
  synchronized void contradicted(Version version, Member by) {
    if (progress.members().contains(by)) {
      records.contradicted(version, by);
      changes++;
    }
  }

  private void prove(long from, long to) {
    records.prove(from, to);
    changes++;
  }

  /** The members did not report in time that they hold all seq_nos up to this one. */
  public synchronized void lateUpTo(long seqNo) {
    records.late(0, seqNo);
    changes++;
  }

  /** The primary is closed: every query ends. */
  public void close() {
    expire(Long.MAX_VALUE);
    heldByAll.close();
    replicatedUpTo.close();
  }

  /** The seq_no up to which every member has reported that it holds all operations. */
  public OffsetWatcher heldByAll() {
    return heldByAll;
  }

  /** The seq_no up to which all records are replicated; -1 for none. */
  public synchronized long replicatedUpTo() {
    return records.upTo();
  }

  /** The highest {@link #replicatedUpTo} so far. */
  OffsetWatcher replicatedSoFar() {
    return replicatedUpTo;
  }

  /** Whether records may be in state 2 or 3. */
  public synchronized boolean hasUnreplicated() {
    return confirmations.size() > 0 || records.hasUnknown();
  }

  synchronized boolean hasContradictions() {
    return records.hasContradictions();
  }

  synchronized Set<String> contradictedIds() {
    return records.contradictedIds();
  }

  /**
   * Whether the document with a seq_no is in state 2 or 3, as of this call. {@code disputed} as in
   * {@link KnownRecords#unreplicated}.
   */
  synchronized LongPredicate unreplicated(List<Version> disputed) {
    return records.unreplicated(confirmations.documents(), disputed);
  }

  /** Increases with every change of a state. */
  public synchronized long changes() {
    return changes;
  }

  /** The number of records for which queries are in flight. */
  public synchronized int asking() {
    return confirmations.size();
  }

  /** The number of seq_nos of former primaries that the members have proven by their reports. */
  public synchronized long exonerated() {
    return records.exonerated();
  }
}
