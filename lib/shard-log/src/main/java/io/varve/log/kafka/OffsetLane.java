package io.varve.log.kafka;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * The turns of the offset requests to one broker. A turn that ends is passed on to the request that
 * has waited longest.
 */
final class OffsetLane {

  /** Concurrent requests to one broker. */
  static final int TURNS = 4;

  private final String name;
  private final Queue<CompletableFuture<Boolean>> waiting = new ArrayDeque<>();
  private int free = TURNS;
  private long answeredNanos;

  /**
   * @param name of the broker, for messages
   */
  OffsetLane(String name, long nowNanos) {
    this.name = name;
    this.answeredNanos = nowNanos;
  }

  String name() {
    return name;
  }

  /** Completes with true when the request has its turn. */
  synchronized CompletableFuture<Boolean> enter() {
    if (free > 0) {
      free--;
      return CompletableFuture.completedFuture(true);
    }
    CompletableFuture<Boolean> turn = new CompletableFuture<>();
    waiting.add(turn);
    return turn;
  }

  /** The request has ended, or no longer waits. */
  synchronized void leave(CompletableFuture<Boolean> turn) {
    if (waiting.remove(turn)) {
      return;
    }
    CompletableFuture<Boolean> next = waiting.poll();
    if (next == null) {
      free++;
    } else {
      next.complete(true);
    }
  }

  /** A request was answered. Answers may be noted out of order; the newest one counts. */
  synchronized void answered(long nanos) {
    if (nanos - answeredNanos > 0) {
      answeredNanos = nanos;
    }
  }

  /** The time since the newest answer, or since there is this lane. */
  synchronized long nanosSinceAnswer(long nowNanos) {
    return nowNanos - answeredNanos;
  }
}
