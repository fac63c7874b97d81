package io.varve.standalone.link;

import java.util.OptionalLong;
import java.util.function.DoubleSupplier;

/**
 * One direction of a TCP connection across a link: computes when bytes arrive. The programs at both
 * ends see a lost segment only as a pause, or as the end of the connection if its retransmissions
 * are also lost.
 *
 * <pre>
 *   arrival = max(arrival of the previous bytes, sent + delay + pauses)
 * </pre>
 *
 * <ul>
 *   <li>The first lost segment of a write pauses the connection. If at least {@value
 *       #SEGMENTS_THAT_REVEAL_A_LOSS} segments follow, their acknowledgements reveal the loss after
 *       a round trip (RFC 5681, fast retransmit). Otherwise the sender waits for its timeout, a
 *       round trip and {@value #MIN_TIMEOUT_MILLIS} ms, as Linux does.
 *   <li>A retransmission can also be lost. Each further loss doubles the timeout (RFC 6298). After
 *       {@value #RETRANSMISSIONS} lost retransmissions the connection breaks.
 *   <li>Bytes after a lost segment wait for it; other connections are not affected.
 *   <li>Congestion control is not modelled: losses cost time, but do not lower the rate.
 * </ul>
 *
 * <p>Not thread-safe.
 */
final class LossyStream {

  static final int SEGMENT_BYTES = 1_448;
  static final int SEGMENTS_THAT_REVEAL_A_LOSS = 3;
  static final int MIN_TIMEOUT_MILLIS = 200;
  static final int RETRANSMISSIONS = 6;

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final LinkDirection wire;
  private final long delayNanos;
  private final double loss;
  private final DoubleSupplier chance;
  private long earliestNanos;

  /**
   * @param openedNanos the earliest arrival of the first byte
   * @param chance uniform draws from [0, 1)
   */
  LossyStream(
      LinkDirection wire, LinkConditions conditions, DoubleSupplier chance, long openedNanos) {
    this.wire = wire;
    this.delayNanos = conditions.delayMillis() * NANOS_PER_MILLI;
    this.loss = conditions.lossPercent() / 100;
    this.chance = chance;
    this.earliestNanos = openedNanos;
  }

  /** Sends bytes; returns the time of their arrival, or empty if the connection breaks. */
  OptionalLong send(long nowNanos, int bytes) {
    long sentNanos = wire.send(nowNanos, bytes);
    OptionalLong pauseNanos = pauseNanos(Math.ceilDiv(bytes, SEGMENT_BYTES));
    if (pauseNanos.isEmpty()) {
      return pauseNanos;
    }
    long arrivalNanos = sentNanos + delayNanos + pauseNanos.getAsLong();
    if (arrivalNanos - earliestNanos > 0) {
      earliestNanos = arrivalNanos;
    }
    return OptionalLong.of(earliestNanos);
  }

  private OptionalLong pauseNanos(int segments) {
    int lost = firstLost(segments);
    if (lost >= segments) {
      return OptionalLong.of(0);
    }
    long roundTripNanos = 2 * delayNanos;
    long timeoutNanos = roundTripNanos + MIN_TIMEOUT_MILLIS * NANOS_PER_MILLI;
    boolean revealed = segments - 1 - lost >= SEGMENTS_THAT_REVEAL_A_LOSS;
    long pauseNanos = revealed ? roundTripNanos : timeoutNanos;
    for (int lostAgain = 1; chance.getAsDouble() < loss; lostAgain++) {
      if (lostAgain == RETRANSMISSIONS) {
        return OptionalLong.empty();
      }
      pauseNanos += timeoutNanos;
      timeoutNanos *= 2;
    }
    return OptionalLong.of(pauseNanos);
  }

  /**
   * Draws the number of segments before the first lost one, which has a geometric distribution; at
   * most {@code segments}.
   */
  private int firstLost(int segments) {
    if (loss == 0 || segments == 0) {
      return segments;
    }
    double before = Math.log1p(-chance.getAsDouble()) / Math.log1p(-loss);
    return before >= segments ? segments : (int) before;
  }
}
