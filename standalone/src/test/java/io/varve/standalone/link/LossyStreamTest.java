package io.varve.standalone.link;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class LossyStreamTest {

  private static final long MILLI = 1_000_000;
  private static final int SEGMENT = LossyStream.SEGMENT_BYTES;

  /** A draw that loses the first segment, or a retransmission. */
  private static final double LOST = 0;

  /** A draw that loses nothing. */
  private static final double KEPT = Math.nextDown(1.0);

  private static LossyStream stream(LinkConditions conditions, Double... draws) {
    Deque<Double> chance = new ArrayDeque<>(List.of(draws));
    return new LossyStream(
        new LinkDirection(conditions.bitsPerSecond()), conditions, chance::removeFirst, 0);
  }

  private static OptionalLong atMillis(long millis) {
    return OptionalLong.of(millis * MILLI);
  }

  @Test
  void bytesArriveAfterTheirTurnOnTheWireAndTheDelay() {
    // 1,000 bytes per millisecond
    LossyStream stream = stream(new LinkConditions(60, 8_000_000, 0));
    assertThat(stream.send(0, 5_000)).isEqualTo(atMillis(65));
    assertThat(stream.send(0, 5_000)).isEqualTo(atMillis(70));
    assertThat(stream.send(100 * MILLI, 1_000)).isEqualTo(atMillis(161));
  }

  @Test
  void nothingArrivesBeforeTheHandshakeHasEnded() {
    LinkConditions slow = new LinkConditions(60, 0, 0);
    LossyStream stream = new LossyStream(new LinkDirection(0), slow, () -> KEPT, 180 * MILLI);
    assertThat(stream.send(0, 1)).isEqualTo(atMillis(180));
    assertThat(stream.send(130 * MILLI, 1)).isEqualTo(atMillis(190));
  }

  @Test
  void aLossWithSegmentsBehindItPausesForARoundTrip() {
    LossyStream stream = stream(new LinkConditions(60, 0, 1), LOST, KEPT);
    assertThat(stream.send(0, 4 * SEGMENT)).isEqualTo(atMillis(60 + 120));
  }

  @Test
  void aLossAtTheEndPausesForTheTimeout() {
    LossyStream stream = stream(new LinkConditions(60, 0, 1), LOST, KEPT);
    assertThat(stream.send(0, 3 * SEGMENT)).isEqualTo(atMillis(60 + 120 + 200));
  }

  @Test
  void aRetransmissionThatIsLostDoublesTheTimeout() {
    LossyStream stream = stream(new LinkConditions(60, 0, 1), LOST, LOST, LOST, KEPT);
    assertThat(stream.send(0, 1)).isEqualTo(atMillis(60 + 320 + 320 + 640));
  }

  @Test
  void afterTooManyLossesInARowTheConnectionBreaks() {
    LinkConditions lossy = new LinkConditions(0, 0, 1);
    assertThat(stream(lossy, LOST, LOST, LOST, LOST, LOST, LOST, KEPT).send(0, 1)).isPresent();
    assertThat(stream(lossy, LOST, LOST, LOST, LOST, LOST, LOST, LOST).send(0, 1)).isEmpty();
  }

  @Test
  void bytesBehindALostSegmentWaitForIt() {
    LossyStream stream = stream(new LinkConditions(60, 0, 1), LOST, KEPT, KEPT, KEPT);
    assertThat(stream.send(0, 1)).isEqualTo(atMillis(380));
    assertThat(stream.send(10 * MILLI, 1)).isEqualTo(atMillis(380));
    assertThat(stream.send(400 * MILLI, 1)).isEqualTo(atMillis(460));
  }

  @Test
  void theEndOfTheStreamHasNoSegmentThatCouldBeLost() {
    assertThat(stream(new LinkConditions(60, 0, 50)).send(0, 0)).isEqualTo(atMillis(60));
  }

  @Test
  void theShareOfLossesIsTheOneConfigured() {
    SplittableRandom random = new SplittableRandom(7);
    DoubleSupplier chance = random::nextDouble;
    LinkConditions lossy = new LinkConditions(60, 0, 2);
    int paused = 0;
    int writes = 20_000;
    for (int i = 0; i < writes; i++) {
      LossyStream one = new LossyStream(new LinkDirection(0), lossy, chance, 0);
      if (!one.send(0, 10 * SEGMENT).equals(atMillis(60))) {
        paused++;
      }
    }
    double expected = 1 - Math.pow(0.98, 10);
    assertThat((double) paused / writes).isBetween(expected - 0.01, expected + 0.01);
  }
}
