package io.varve.client.routing;

import io.varve.client.CallTerms;
import io.varve.client.CopyAddress;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.client.consistency.PromisedReads.Reply;
import io.varve.client.consistency.ReserveCopies;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.selection.Failure;
import io.varve.selection.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs one or two attempts at a shard; the first answer counts.
 *
 * <pre>
 *   first    immediately
 *   shadow   immediately, on a copy with outdated statistics; never cancelled
 *   hedge    when the first is silent for longer than usual, and the budget allows it
 * </pre>
 *
 * <p>The losing attempt is cancelled on its node. A failed hedge or shadow is ignored while another
 * attempt is in progress; when all failed, the failure is that of the first. INVARIANT: exactly one
 * answer is returned or one failure thrown, and no other answer is ever seen.
 */
final class CopyRace<T> {

  /** Pause before a hedge that was not worthwhile or not within the budget is considered again. */
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

  private final CopyTrials trials;
  private final CopyTrials.Search search;
  private final ReserveCopies spares;
  private final CallTerms terms;
  private final ShardTrials.Question<T> question;
  private final BlockingQueue<Ended<T>> ended = new LinkedBlockingQueue<>();
  private final List<Running<T>> running = new ArrayList<>();
  private long hedgeAtNanos;
  private boolean mayHedge;

  private record Running<T>(CopyTrial<T> trial, Future<?> future) {}

  /** An attempt that has ended; null if its answer is no longer wanted. */
  private record Ended<T>(
      @Nullable CopyTrial<T> trial, @Nullable T answer, @Nullable Throwable failure) {}

  CopyRace(
      CopyTrials trials,
      CopyTrials.Search search,
      ReserveCopies spares,
      CallTerms terms,
      ShardTrials.Question<T> question) {
    this.trials = trials;
    this.search = search;
    this.spares = spares;
    this.terms = terms;
    this.question = question;
  }

  /**
   * @param candidates for a hedge, best first
   */
  Reply<T> run(CopyTrial<T> first, Optional<CopyAddress> shadow, List<CopyAddress> candidates)
      throws InterruptedException {
    OptionalLong delay =
        candidates.isEmpty()
            ? OptionalLong.empty()
            : search.choice().hedgeDelayNanos(first.copy().shard().toString());
    mayHedge = delay.isPresent();
    hedgeAtNanos = trials.clock().nanos() + delay.orElse(0);
    boolean over = false;
    Runnable wake = () -> ended.add(new Ended<>(null, null, null));
    search.waiting().add(wake);
    try {
      start(first);
      shadow.ifPresent(copy -> second(copy, Purpose.SHADOW));
      Reply<T> reply = awaited(first, candidates);
      over = true;
      return reply;
    } finally {
      search.waiting().remove(wake);
      if (!over) {
        abandon(Failure.ABANDONED);
      }
    }
  }

  private Reply<T> awaited(CopyTrial<T> first, List<CopyAddress> candidates)
      throws InterruptedException {
    Throwable failureOfFirst = null;
    while (true) {
      Ended<T> end = next();
      if (end == null) {
        if (search.plan().isLate()) {
          abandon(Failure.TIMED_OUT);
          throw ShardTrials.late();
        }
        mayHedge = mayHedge && !hedge(first, candidates);
        hedgeAtNanos = trials.clock().nanos() + AGAIN_NANOS;
        continue;
      }
      CopyTrial<T> trial = end.trial;
      if (trial == null) {
        throw cancelled();
      }
      running.removeIf(one -> one.trial == trial);
      Throwable failure = end.failure;
      if (failure == null) {
        lose();
        return new Reply<>(trial.copy(), Objects.requireNonNull(end.answer));
      }
      if (trial == first) {
        mayHedge = false;
        failureOfFirst = failure;
      } else {
        secondFailed(trial, failure);
      }
      if (isOver(trial == first, failure, failureOfFirst)) {
        leaveShadows();
        throw thrown(failureOfFirst == null ? failure : failureOfFirst);
      }
    }
  }

  /** Shadows run to their end, and their copies may still be asked as regular attempts. */
  private void leaveShadows() {
    for (Running<T> one : List.copyOf(running)) {
      if (one.trial.purpose() == Purpose.SHADOW) {
        spares.back(one.trial.copy());
        running.remove(one);
      }
    }
  }

  /** The error of a cancelled search, as its task reports it. */
  private ApiException cancelled() {
    Objects.requireNonNull(search.plan().task()).check();
    throw new IllegalStateException("woken, but not cancelled");
  }

  /** A copy that a guard refused may still be asked when no other is left. */
  private void secondFailed(CopyTrial<T> trial, Throwable failure) {
    ErrorBody error = error(failure);
    if (!trial.wasSent()) {
      spares.back(trial.copy());
    } else if (error != null) {
      spares.failed(trial.copy(), error);
    }
  }

  /** Whether no attempt in progress is worth waiting for. */
  private boolean isOver(boolean ofFirst, Throwable failure, @Nullable Throwable failureOfFirst) {
    ErrorBody error = error(failure);
    boolean isFinal =
        error == null
            ? ofFirst && !(failure instanceof UnreachableException)
            : search.isFinal().test(error);
    boolean onlyShadows = running.stream().allMatch(one -> one.trial.purpose() == Purpose.SHADOW);
    return isFinal
        || running.isEmpty()
        || (failureOfFirst != null && onlyShadows && !spares.isEmpty());
  }

  private @Nullable Ended<T> next() throws InterruptedException {
    CopyTrials.Plan plan = search.plan();
    if (!mayHedge && !plan.limited()) {
      return ended.take();
    }
    long untilHedge = mayHedge ? hedgeAtNanos - trials.clock().nanos() : Long.MAX_VALUE;
    long wait = Math.min(untilHedge, plan.leftNanos());
    return wait <= 0 ? ended.poll() : ended.poll(wait, TimeUnit.NANOSECONDS);
  }

  /** Whether no hedge will be started; if only the budget is empty, it is considered again. */
  private boolean hedge(CopyTrial<T> first, List<CopyAddress> candidates) {
    List<CopyAddress> left = new ArrayList<>(candidates);
    running.forEach(one -> left.remove(one.trial.copy()));
    if (left.isEmpty()) {
      return true;
    }
    left.removeIf(copy -> !search.permits().isFree(copy.node().nodeId()));
    List<String> nodes = left.stream().map(copy -> copy.node().nodeId()).toList();
    Optional<String> chosen = search.choice().hedge(first.copy().node().nodeId(), nodes);
    return chosen.isPresent() && second(left.get(nodes.indexOf(chosen.get())), Purpose.HEDGE);
  }

  /**
   * Sends no second attempt to a node that already has the search's share of concurrent requests.
   */
  private boolean second(CopyAddress copy, Purpose purpose) {
    if (!search.permits().tryTake(copy.node().nodeId())) {
      return false;
    }
    spares.take(copy);
    start(new CopyTrial<>(trials, search, copy, purpose, false));
    return true;
  }

  private void start(CopyTrial<T> trial) {
    Future<?> future =
        trials
            .threads()
            .submit(() -> {
              try {
                ended.add(new Ended<>(trial, trial.run(terms, question), null));
              } catch (Throwable e) {
                ended.add(new Ended<>(trial, null, e));
              }
            });
    running.add(new Running<>(trial, future));
  }

  private void lose() {
    for (Running<T> one : running) {
      if (one.trial.purpose() != Purpose.SHADOW) {
        one.trial.giveUp(Failure.LOST);
        cancel(one);
      }
    }
  }

  private void abandon(Failure reason) {
    for (Running<T> one : running) {
      one.trial.giveUp(reason);
      one.future.cancel(true);
      cancel(one);
    }
    running.clear();
  }

  /** Closes the connection if the node does not even accept the cancellation. */
  private void cancel(Running<T> one) {
    trials.cancel(one.trial.copy().node(), one.trial.id(), () -> one.future.cancel(true));
  }

  private static @Nullable ErrorBody error(Throwable failure) {
    return failure instanceof ApiException refused ? refused.error() : null;
  }

  private static RuntimeException thrown(Throwable failure) throws InterruptedException {
    return switch (failure) {
      case RuntimeException known -> known;
      case InterruptedException interrupted -> throw interrupted;
      case Error error -> throw error;
      default -> new IllegalStateException(failure);
    };
  }
}
