package io.varve.log.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * The appends to one partition, in order, without ever blocking the caller.
 *
 * <p>The producer accepts an append immediately if it knows the partition's leader. Otherwise, at
 * the first append or during an outage, the append is queued here together with those that follow,
 * and a virtual thread retries them until they are accepted or time out.
 */
final class AppendLane {

  private record Waiting(PendingAppend append, long deadlineNanos) {}

  private final long timeoutNanos;
  private final Predicate<PendingAppend> offer;
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /**
   * @param offer returns false if nothing was sent and no callback ran
   */
  AppendLane(Duration timeout, Predicate<PendingAppend> offer) {
    this.timeoutNanos = timeout.toNanos();
    this.offer = offer;
  }

  synchronized void append(PendingAppend append) {
    if (waiting.isEmpty() && offer.test(append)) {
      return;
    }
    waiting.addLast(new Waiting(append, System.nanoTime() + timeoutNanos));
    if (waiting.size() == 1) {
      Thread.ofVirtual().start(this::offerAgain);
    }
  }

  /** Ends when the queue is empty; the next append that is queued starts a new thread. */
  private void offerAgain() {
    // The producer has no notification for newly learnt topic metadata.
    Pauses pauses = new Pauses();
    boolean more = true;
    while (more) {
      pauses.pause();
      List<PendingAppend> late = new ArrayList<>();
      more = offerWaiting(late);
      late.forEach(append -> append.giveUp("its partition has no known leader"));
    }
  }

  private synchronized boolean offerWaiting(List<PendingAppend> late) {
    while (!waiting.isEmpty() && offer.test(waiting.getFirst().append())) {
      waiting.removeFirst();
    }
    while (!waiting.isEmpty() && System.nanoTime() - waiting.getFirst().deadlineNanos() > 0) {
      late.add(waiting.removeFirst().append());
    }
    return !waiting.isEmpty();
  }
}
