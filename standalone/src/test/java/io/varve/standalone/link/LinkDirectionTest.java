package io.varve.standalone.link;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LinkDirectionTest {

  private static final long MILLI = 1_000_000;

  /** 8 Mbit/s are 1,000 bytes per millisecond. */
  private final LinkDirection wire = new LinkDirection(8_000_000);

  @Test
  void whatIsSentWhileTheWireIsBusyWaitsItsTurn() {
    assertThat(wire.send(0, 1_000)).isEqualTo(1 * MILLI);
    assertThat(wire.send(0, 2_000)).isEqualTo(3 * MILLI);
    assertThat(wire.send(2 * MILLI, 1_000)).isEqualTo(4 * MILLI);
    assertThat(wire.send(10 * MILLI, 500)).isEqualTo(10 * MILLI + MILLI / 2);
  }

  @Test
  void theClockMayBeNegativeAndOverflow() {
    assertThat(wire.send(-5 * MILLI, 1_000)).isEqualTo(-4 * MILLI);
    assertThat(new LinkDirection(8_000_000).send(Long.MAX_VALUE, 1_000))
        .isEqualTo(Long.MIN_VALUE + MILLI - 1);
  }

  @Test
  void withoutARateNothingWaits() {
    LinkDirection unlimited = new LinkDirection(0);
    assertThat(unlimited.send(7, 1 << 30)).isEqualTo(7);
    assertThat(unlimited.send(8, 1 << 30)).isEqualTo(8);
  }
}
