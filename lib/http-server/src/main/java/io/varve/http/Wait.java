package io.varve.http;

/** Time spent waiting for a client, and bytes transferred. Not thread-safe. */
final class Wait {

  private boolean waiting;
  private long sinceNanos;
  private long earlierNanos;
  private long bytes;

  void begin(long nowNanos) {
    waiting = true;
    sinceNanos = nowNanos;
  }

  void end(long nowNanos) {
    if (waiting) {
      waiting = false;
      earlierNanos += nowNanos - sinceNanos;
    }
  }

  void moved(long count) {
    bytes += count;
  }

  boolean isTooSlow(long nowNanos, ClientPace pace) {
    return waiting && pace.tooSlow(earlierNanos + nowNanos - sinceNanos, bytes);
  }
}
