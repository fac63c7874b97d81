package io.varve.log.kafka;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;

/**
 * The appends to one partition, in order, without ever blocking who appends.
 *
 * <p>The producer takes an append at once if it knows the partition's leader. If it doesn't, at the
 * first append or in an outage, the append waits here, those that follow wait behind it, and a
 * virtual thread offers them again until they are taken or have waited too long.
 */
final class AppendLane {

  private record Waiting(PendingAppend append, long deadlineNanos) {}

  private final long timeoutNanos;
  private final Predicate<PendingAppend> offer;
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** {@code offer} is false when nothing was sent and nobody was told. */
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

  /** Ends when nothing waits; the next append that has to wait starts it anew. */
  private void offerAgain() {
    // The producer tells nobody when it has learnt of a topic.
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
