package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AcksTest {

  private static final long MILLI = 1_000_000;

  private final Acks acks = new Acks();

  @BeforeEach
  void ackAt() {
    LongStream.of(0, 10, 90, 100, 105, 400).forEach(millis -> acks.add(millis * MILLI));
  }

  private double longest(long fromMillis, long toMillis) {
    return acks.longestGapMillis(fromMillis * MILLI, toMillis * MILLI);
  }

  @Test
  void anOutageIsTheLongestTimeBetweenTwoAcks() {
    assertThat(longest(0, 400)).isEqualTo(295);
    assertThat(longest(0, 104)).isEqualTo(80);
  }

  @Test
  void aGapThatOnlyTouchesTheSpanCounts() {
    assertThat(longest(50, 60)).as("around it").isEqualTo(80);
    assertThat(longest(80, 95)).as("begun before it").isEqualTo(80);
    assertThat(longest(101, 110)).as("ended behind it").isEqualTo(295);
  }

  @Test
  void withoutTwoAcksThereIsNoGap() {
    assertThat(new Acks().longestGapMillis(0, Long.MAX_VALUE)).isZero();
    assertThat(longest(500, 600)).isZero();
    assertThat(acks.count()).isEqualTo(6);
  }
}
