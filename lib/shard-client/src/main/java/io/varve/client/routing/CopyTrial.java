package io.varve.client.routing;

import io.varve.client.CallTerms;
import io.varve.client.CopyAddress;
import io.varve.client.ShardClient.UnreachableException;
import io.varve.rpc.ApiException;
import io.varve.rpc.NodeLoad;
import io.varve.selection.Attempt;
import io.varve.selection.Failure;
import io.varve.selection.Purpose;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One attempt at one copy, from its permit to the accounting of its end.
 *
 * <p>INVARIANT: whatever its end, the permit is released, the guard is left and the attempt is
 * ended, each exactly once. An attempt that is abandoned before it was sent is not sent. An attempt
 * that is abandoned later releases its permit and its accounting immediately, and the guard when no
 * thread waits for the node any more.
 */
final class CopyTrial<T> {

  private final CopyTrials trials;
  private final CopyTrials.Search search;
  private final CopyAddress copy;
  private final Purpose purpose;
  private final boolean last;
  private final String id;
  private final AtomicBoolean seated = new AtomicBoolean(true);
  private volatile @Nullable Attempt attempt;
  private volatile @Nullable NodeLoad reported;
  private volatile @Nullable Failure verdict;

  /**
   * @param last whether no other copy is left
   */
  CopyTrial(
      CopyTrials trials,
      CopyTrials.Search search,
      CopyAddress copy,
      Purpose purpose,
      boolean last) {
    this.trials = trials;
    this.search = search;
    this.copy = copy;
    this.purpose = purpose;
    this.last = last;
    this.id = trials.newId();
  }

  CopyAddress copy() {
    return copy;
  }

  Purpose purpose() {
    return purpose;
  }

  String id() {
    return id;
  }

  /** Whether the node was asked; a guard may have refused the attempt. */
  boolean wasSent() {
    return attempt != null;
  }

  /** Runs on the thread that waits for the answer; the permit is held already. */
  T run(CallTerms terms, ShardTrials.Question<T> question) throws InterruptedException {
    try {
      NodeGuards.Pass pass = trials.guards().enter(copy.node().nodeId(), last);
      return asked(pass, begun(pass), terms, question);
    } finally {
      leaveSeat();
    }
  }

  private Attempt begun(NodeGuards.Pass pass) {
    synchronized (this) {
      if (verdict == null) {
        Attempt sent = search.choice().sent(copy.shard().toString(), copy.node().nodeId(), purpose);
        attempt = sent;
        return sent;
      }
    }
    pass.ended();
    throw new CancellationException("abandoned before it was sent");
  }

  private T asked(
      NodeGuards.Pass pass, Attempt sent, CallTerms terms, ShardTrials.Question<T> question)
      throws InterruptedException {
    try {
      CallTerms.Trial trial =
          new CallTerms.Trial(id, sent.expectedNanos(), load -> reported = load);
      T answer = question.ask(copy, new CallTerms(terms.demand(), trial));
      NodeLoad load = reported;
      sent.answered(load == null ? -1 : load.tookNanos(), ReportedLoad.report(load));
      pass.succeeded();
      return answer;
    } catch (InterruptedException e) {
      failed(pass, sent, Failure.ABANDONED, e);
      throw e;
    } catch (ApiException | UnreachableException | CancellationException e) {
      failed(pass, sent, Failures.of(e), e);
      throw e;
    } catch (RuntimeException e) {
      failed(pass, sent, Failure.ERROR, e);
      throw Failures.unreadable(copy, e);
    } catch (Error e) {
      failed(pass, sent, Failure.ERROR, e);
      throw e;
    }
  }

  /** The reason for giving up is more informative than the exception that followed. */
  private void failed(NodeGuards.Pass pass, Attempt sent, Failure failure, Throwable cause) {
    Failure known = verdict;
    Failure why = known == null ? failure : known;
    sent.failed(why);
    switch (why) {
      case ERROR, UNREACHABLE -> pass.failed(cause);
      case TIMED_OUT -> late(pass, cause);
      case REJECTED, BAD_REQUEST -> pass.answered();
      case LOST, ABANDONED -> pass.ended();
    }
  }

  /** A node that reports that it is late is not silent. */
  private static void late(NodeGuards.Pass pass, Throwable cause) {
    if (cause instanceof ApiException) {
      pass.answered();
    } else {
      pass.late(cause);
    }
  }

  /** Abandons the attempt for that reason; a later answer does not count. */
  void giveUp(Failure reason) {
    Attempt sent;
    synchronized (this) {
      verdict = reason;
      sent = attempt;
    }
    if (sent != null) {
      sent.failed(reason);
    }
    leaveSeat();
  }

  private void leaveSeat() {
    if (seated.compareAndSet(true, false)) {
      search.permits().leave(copy.node().nodeId());
    }
  }
}
