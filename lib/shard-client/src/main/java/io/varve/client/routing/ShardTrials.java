package io.varve.client.routing;

import io.varve.client.CallTerms;
import io.varve.client.CopyAddress;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.client.consistency.PromisedReads.Reply;
import io.varve.client.consistency.ReserveCopies;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ReadDemand;
import io.varve.selection.Copy;
import io.varve.selection.CopyOrder;
import io.varve.selection.Purpose;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The attempts at one shard in one search. Used by one thread.
 *
 * <p>An attempt after a failed one takes a token of the {@link RetryBudget} if the failed one cost
 * a node work; without a token, the shard fails with that failure. Refusals by a guard are free.
 *
 * <p>A copy whose node's breaker is open is postponed: when the others have failed too, it is asked
 * regardless, because a breaker must not fail a search that might have succeeded.
 */
public final class ShardTrials<T> {

  /** The failure of a shard that did not answer before the deadline. */
  public static final String LATE_TYPE = "receive_timeout_transport_exception";

  private final CopyTrials trials;
  private final CopyTrials.Search search;
  private Optional<String> shadow = Optional.empty();
  private final Set<String> lagging = new HashSet<>();
  private final Set<String> postponed = new HashSet<>();
  private @Nullable RuntimeException lastFailure;
  private boolean lastCost;
  private boolean begun;

  /** Searches one copy. */
  @FunctionalInterface
  public interface Question<T> {
    T ask(CopyAddress copy, CallTerms terms) throws InterruptedException;

    /** The answer, if it is already known: then no copy is contacted. */
    default Optional<T> known() {
      return Optional.empty();
    }
  }

  ShardTrials(CopyTrials trials, CopyTrials.Search search) {
    this.trials = trials;
    this.search = search;
  }

  /** The copies of the shard, in the order of asking. */
  public List<CopyAddress> ranked(List<CopyAddress> copies) {
    if (copies.size() < 2) {
      return copies;
    }
    Map<String, CopyAddress> byNode = new LinkedHashMap<>();
    List<Copy> candidates = new ArrayList<>();
    for (CopyAddress copy : copies) {
      byNode.put(copy.node().nodeId(), copy);
      candidates.add(trials.selection().candidate(search.state(), copy));
    }
    CopyOrder order;
    synchronized (search.choice()) {
      order = search.choice().order(copies.getFirst().shard().toString(), candidates);
    }
    if (copies.getFirst().copy().started()) {
      shadow = search.plan().raced() ? order.shadow() : Optional.empty();
    }
    return order.nodes().stream().map(byNode::get).toList();
  }

  /** Copies on these nodes show less than others; they are asked only when no other is left. */
  public void lagging(Set<String> nodeIds) {
    lagging.addAll(nodeIds);
  }

  /** Asks the copy, and possibly a second one while it is silent. */
  public Reply<T> ask(
      CopyAddress copy, ReserveCopies spares, ReadDemand demand, Question<T> question)
      throws InterruptedException {
    checkDeadline();
    Purpose purpose = purpose();
    takeSeat(copy);
    Optional<T> known = question.known();
    if (known.isPresent()) {
      search.permits().leave(copy.node().nodeId());
      return new Reply<>(copy, known.get());
    }
    if (purpose == Purpose.FIRST) {
      trials.retries().earn();
    }
    boolean last = spares.isEmpty() || postponed.contains(copy.node().nodeId());
    CopyTrial<T> first = new CopyTrial<>(trials, search, copy, purpose, last);
    CallTerms terms = new CallTerms(demand, null);
    try {
      if (mayRace(copy, spares)) {
        return new CopyRace<>(trials, search, spares, terms, question)
            .run(first, shadowOf(spares), candidates(spares));
      }
      return new Reply<>(
          copy,
          search.plan().task() == null
              ? first.run(terms, question)
              : new SoleTrial<>(trials, search, first).run(terms, question));
    } catch (ApiException | UnreachableException e) {
      lastFailure = e;
      lastCost = first.wasSent() && Failures.costs(Failures.of(e));
      if (!first.wasSent() && NodeGuards.isOpen(e)) {
        postponed.add(copy.node().nodeId());
        spares.postpone();
      }
      throw e;
    }
  }

  private void takeSeat(CopyAddress copy) throws InterruptedException {
    CopyTrials.Plan plan = search.plan();
    String nodeId = copy.node().nodeId();
    if (!plan.limited()) {
      search.permits().take(nodeId);
    } else if (!search.permits().take(nodeId, plan.leftNanos())) {
      throw late();
    }
  }

  private Purpose purpose() {
    if (!begun) {
      begun = true;
      return Purpose.FIRST;
    }
    RuntimeException failure = lastFailure;
    if (failure != null && lastCost && !trials.retries().spend()) {
      throw failure;
    }
    return Purpose.RETRY;
  }

  private void checkDeadline() {
    if (isLate()) {
      throw late();
    }
  }

  /** Whether no more copies are asked. */
  public boolean isLate() {
    return search.plan().isLate();
  }

  /** How much longer an answer is waited for. */
  public long leftMillis() {
    return TimeUnit.NANOSECONDS.toMillis(search.plan().leftNanos());
  }

  /** The error of a shard whose copies did not answer in time. */
  public static ApiException late() {
    return new ApiException(ErrorBody.of(504, LATE_TYPE, "no copy answered before the deadline"));
  }

  /** Whether the calling thread has to wait for more than the answer of one copy. */
  private boolean mayRace(CopyAddress copy, ReserveCopies spares) {
    CopyTrials.Plan plan = search.plan();
    return plan.limited()
        || (plan.raced()
            && !spares.left().isEmpty()
            && (shadow.isPresent()
                || search.choice().hedgeDelayNanos(copy.shard().toString()).isPresent()));
  }

  private Optional<CopyAddress> shadowOf(ReserveCopies spares) {
    Optional<String> node = shadow;
    shadow = Optional.empty();
    return node.flatMap(id ->
        candidates(spares).stream().filter(copy -> copy.node().nodeId().equals(id)).findFirst());
  }

  private List<CopyAddress> candidates(ReserveCopies spares) {
    return search.plan().raced()
        ? spares.left().stream()
            .filter(copy -> copy.copy().started() && !lagging.contains(copy.node().nodeId()))
            .toList()
        : List.of();
  }
}
