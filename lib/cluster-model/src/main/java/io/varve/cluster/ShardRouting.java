package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.varve.events.ShardId;
import io.varve.events.Since;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The copies of one shard. INVARIANT: exactly one is the primary, and it comes first; or the
 * writers are released, and all copies are search-only.
 *
 * @param primaryTerm the term of the primary, 0 before the first
 * @param relocations of copies, at most one each; those of copies that no longer exist or are
 *     unassigned are omitted
 * @param revival until the primary that revives the shard has started; usually null
 * @param neverStarted whether no primary was ever started, so that nothing was deleted from the
 *     shard's log for its retention; false if that is not known
 */
public record ShardRouting(
    ShardId shard,
    long primaryTerm,
    List<CopyRouting> copies,
    List<Relocation> relocations,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Revival revival,
    @Since(2) @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JsonSetter(nulls = Nulls.AS_EMPTY)
        boolean neverStarted) {

  private static final CopyRouting NO_WRITER =
      CopyRouting.unassigned("_none", true, "WRITERS_RELEASED");

  public ShardRouting {
    copies = List.copyOf(copies);
    List<CopyRouting> given = copies;
    relocations =
        relocations == null
            ? List.of()
            : relocations.stream().filter(moving -> isPlaced(moving.copyId(), given)).toList();
    neverStarted = neverStarted && given.stream().noneMatch(c -> c.primary() && c.started());
    boolean written =
        !copies.isEmpty()
            && copies.getFirst().primary()
            && copies.stream().filter(CopyRouting::primary).count() == 1;
    if (!written && !copies.stream().allMatch(CopyRouting::searchOnly)) {
      throw new IllegalArgumentException(
          "shard " + shard + " needs exactly one primary, first: " + copies);
    }
  }

  /** Without a revival; its primary may have been started before. */
  public ShardRouting(
      ShardId shard, long primaryTerm, List<CopyRouting> copies, List<Relocation> relocations) {
    this(shard, primaryTerm, copies, relocations, null, false);
  }

  /** Without relocations. */
  public ShardRouting(ShardId shard, long primaryTerm, List<CopyRouting> copies) {
    this(shard, primaryTerm, copies, List.of());
  }

  private static boolean isPlaced(String copyId, List<CopyRouting> copies) {
    return copies.stream().anyMatch(c -> c.copyId().equals(copyId) && c.nodeId() != null);
  }

  /** An unassigned primary while the writers are released. */
  public CopyRouting primary() {
    return released() ? NO_WRITER : copies.getFirst();
  }

  /** Whether the writers are released: there is no primary, and none is missing. */
  public boolean released() {
    return copies.isEmpty() || !copies.getFirst().primary();
  }

  /** Copies that may be promoted. */
  public List<CopyRouting> replicas() {
    return copies.stream().filter(c -> !c.primary() && !c.searchOnly()).toList();
  }

  /** Search-only copies. */
  public List<CopyRouting> searchReplicas() {
    return copies.stream().filter(CopyRouting::searchOnly).toList();
  }

  /** Copies that a writer waits for: the primary and its replicas. */
  public List<CopyRouting> writeCopies() {
    return copies.stream().filter(c -> !c.searchOnly()).toList();
  }

  /** All copies of this shard and targets of relocations that are on a node. */
  public List<CopyRouting> everywhere() {
    return relocations.isEmpty()
        ? copies
        : Stream.concat(copies.stream(), relocations.stream().map(Relocation::target)).toList();
  }

  public Optional<Relocation> relocationOf(String copyId) {
    return relocations.stream().filter(r -> r.copyId().equals(copyId)).findFirst();
  }

  public Optional<Relocation> relocationTo(String targetCopyId) {
    return relocations.stream().filter(r -> r.target().copyId().equals(targetCopyId)).findFirst();
  }

  /** The relocation whose target is taking over from the primary. */
  public Optional<Relocation> handOver() {
    return relocations.stream().filter(Relocation::handsOver).findFirst();
  }

  /**
   * Whether the copy is the started primary under that term, and no newer term is assigned.
   * Otherwise, it must delete nothing from the log.
   */
  public boolean isServedBy(String copyId, long term) {
    CopyRouting primary = primary();
    return primary.copyId().equals(copyId) && primary.started() && newestTerm() == term;
  }

  /** The newest term that was ever assigned. */
  public long newestTerm() {
    return Math.max(primaryTerm, handOver().map(Relocation::handOverTerm).orElse(0L));
  }

  public Optional<CopyRouting> copy(String copyId) {
    return copies.stream().filter(c -> c.copyId().equals(copyId)).findFirst();
  }

  public ShardRouting withTerm(long term) {
    return new ShardRouting(shard, term, copies, relocations, revival, neverStarted);
  }

  /** The same with the copy {@code copyId} changed; unknown ids change nothing. */
  public ShardRouting withCopy(String copyId, UnaryOperator<CopyRouting> change) {
    return withCopies(c -> c.copyId().equals(copyId) ? change.apply(c) : c);
  }

  /** The primary is assigned to {@code nodeId}; a hand-over in progress ends. */
  ShardRouting primaryAssigned(String copyId, String nodeId, long term) {
    return new ShardRouting(shard, term, copies, withoutHandOver(), revival, neverStarted)
        .withCopy(primary().copyId(), c -> c.assignedTo(copyId, nodeId));
  }

  /** The primary is unassigned; a term that was assigned for a hand-over is not assigned again. */
  ShardRouting unassigned(String copyId, String reason) {
    boolean ends = handOver().filter(r -> r.copyId().equals(copyId)).isPresent();
    return (ends ? withTerm(newestTerm()) : this).withCopy(copyId, c -> c.unassigned(reason));
  }

  /**
   * The replica {@code copyId} becomes the primary under {@code term}; the former primary becomes a
   * replica and keeps its node if it has one. An id that does not belong to a replica changes
   * nothing.
   */
  public ShardRouting promoted(String copyId, long term, String reason) {
    Optional<CopyRouting> successor =
        replicas().stream().filter(c -> c.copyId().equals(copyId)).findFirst();
    if (successor.isEmpty()) {
      return this;
    }
    List<CopyRouting> next = new ArrayList<>();
    next.add(successor.get().promoted());
    copies.stream().filter(c -> !c.primary() && !c.copyId().equals(copyId)).forEach(next::add);
    next.add(primary().demoted(reason));
    return new ShardRouting(shard, term, next, withoutHandOver(), revival, neverStarted);
  }

  private List<Relocation> withoutHandOver() {
    return relocations.stream().filter(r -> !r.handsOver()).toList();
  }

  public ShardRouting withCopies(UnaryOperator<CopyRouting> change) {
    return withCopies(copies.stream().map(change).toList());
  }

  /** The same shard with these copies. */
  ShardRouting withCopies(List<CopyRouting> newCopies) {
    return new ShardRouting(shard, primaryTerm, newCopies, relocations, revival, neverStarted);
  }

  /** The same shard, with the information that no primary was ever started. */
  public ShardRouting asNeverStarted() {
    return new ShardRouting(shard, primaryTerm, copies, relocations, revival, true);
  }

  /** The same copies and targets, each changed. */
  ShardRouting withEverywhere(UnaryOperator<CopyRouting> change) {
    return withCopies(change).withRelocations(r -> r.with(change.apply(r.target())));
  }

  private ShardRouting withRelocations(UnaryOperator<Relocation> change) {
    return withRelocations(relocations.stream().map(change).toList());
  }

  private ShardRouting withRelocations(List<Relocation> changed) {
    return new ShardRouting(shard, primaryTerm, copies, changed, revival, neverStarted);
  }

  private ShardRouting withRelocation(String targetCopyId, UnaryOperator<Relocation> change) {
    return withRelocations(r -> r.target().copyId().equals(targetCopyId) ? change.apply(r) : r);
  }

  /** Only the search-only copies are left; the newest assigned term is kept. */
  ShardRouting withoutWriters() {
    return new ShardRouting(shard, newestTerm(), searchReplicas(), relocations);
  }

  /** All relocations end. */
  ShardRouting atRest() {
    return withTerm(newestTerm()).withRelocations(List.of());
  }

  /** {@code copyId} relocates to {@code nodeId}, unless it is relocating already. */
  public ShardRouting relocating(String copyId, String targetCopyId, String nodeId) {
    Optional<CopyRouting> moving = copy(copyId).filter(c -> c.nodeId() != null);
    if (moving.isEmpty() || relocationOf(copyId).isPresent()) {
      return this;
    }
    List<Relocation> next = new ArrayList<>(relocations);
    next.add(new Relocation(copyId, moving.get().target(targetCopyId, nodeId), 0));
    return withRelocations(next);
  }

  public ShardRouting handingOver(String targetCopyId, long term) {
    return withRelocation(targetCopyId, r -> r.handingOver(term));
  }

  /**
   * A copy or target has started. A report of a term other than the one it was assigned changes
   * nothing.
   */
  ShardRouting started(String copyId, long term) {
    boolean revives =
        primary().copyId().equals(copyId) && term == primaryTerm && relocationTo(copyId).isEmpty();
    return (revives ? revivedBy(null) : this)
        .withCopy(
            copyId,
            c ->
                c.state() == CopyRouting.State.INITIALIZING && (!c.primary() || term == primaryTerm)
                    ? c.in(CopyRouting.State.STARTED)
                    : c)
        .withRelocation(
            copyId,
            r ->
                !r.handsOver() || r.handOverTerm() == term
                    ? r.with(r.target().in(CopyRouting.State.STARTED))
                    : r);
  }

  private ShardRouting revivedBy(@Nullable Revival newRevival) {
    return new ShardRouting(shard, primaryTerm, copies, relocations, newRevival, false);
  }

  /**
   * The copy on that node becomes the primary under the term after that of the revival, whichever
   * copy that is: a replica there, the primary itself, or a folder that no copy uses. All other
   * copies are unassigned, because they must be rebuilt.
   */
  ShardRouting revived(String newCopyId, String nodeId, Revival newRevival) {
    ShardRouting resting = atRest();
    long term = newRevival.term() + 1;
    Optional<CopyRouting> there =
        resting.replicas().stream().filter(c -> c.isOn(nodeId)).findFirst();
    ShardRouting assigned =
        there.isPresent()
            ? resting.promoted(there.get().copyId(), term, "REVIVED")
            : resting.primaryAssigned(newCopyId, nodeId, term);
    return assigned
        .withCopies(c -> c.primary() ? c : c.unassigned("REVIVED"))
        .revivedBy(newRevival);
  }

  /**
   * The target replaces its source under the term that it was assigned. A replica's relocation that
   * completes during a hand-over does not change the primary's term.
   */
  public ShardRouting relocated(String targetCopyId) {
    Optional<Relocation> arrived = relocationTo(targetCopyId);
    if (arrived.isEmpty()) {
      return this;
    }
    Relocation done = arrived.get();
    return new ShardRouting(
        shard,
        Math.max(primaryTerm, done.handOverTerm()),
        copies.stream()
            .map(c -> c.copyId().equals(done.copyId()) ? done.target().inPlaceOf(c) : c)
            .toList(),
        without(done),
        revival,
        neverStarted);
  }

  /**
   * The relocation ends without effect; if {@code term} is not 0, the copy is the primary under it.
   */
  ShardRouting stayed(String targetCopyId, long term) {
    Optional<Relocation> ended = relocationTo(targetCopyId);
    if (ended.isEmpty()) {
      return this;
    }
    ShardRouting stayed = withRelocations(without(ended.get()));
    return term == 0
        ? stayed
        : stayed
            .withTerm(term)
            .withCopy(primary().copyId(), c -> c.in(CopyRouting.State.INITIALIZING));
  }

  private List<Relocation> without(Relocation gone) {
    return relocations.stream().filter(r -> !r.equals(gone)).toList();
  }
}
