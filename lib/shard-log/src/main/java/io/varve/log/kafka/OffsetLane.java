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
  private final Queue<Place> waiting = new ArrayDeque<>();
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

  /** Of one request, until it leaves. */
  static final class Place {
    private final CompletableFuture<Boolean> granted = new CompletableFuture<>();

    private Place() {}

    /** Completes with true when the request has its turn. */
    CompletableFuture<Boolean> granted() {
      return granted;
    }
  }

  synchronized Place enter() {
    Place place = new Place();
    if (free > 0) {
      free--;
      place.granted.complete(true);
    } else {
      waiting.add(place);
    }
    return place;
  }

  /** The request has ended, or no longer waits. */
  synchronized void leave(Place place) {
    if (waiting.remove(place)) {
      return;
    }
    Place next = waiting.poll();
    if (next == null) {
      free++;
    } else {
      next.granted.complete(true);
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
