package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SetbacksTest {

  private long nowMillis = 1_000_000;
  private final Setbacks setbacks = new Setbacks(() -> Instant.ofEpochMilli(nowMillis));

  private List<Long> failures(int times) {
    return LongStream.range(0, times).mapToObj(_ -> failAfterStart()).toList();
  }

  private long failAfterStart() {
    setbacks.started();
    return setbacks.failed();
  }

  private long closeAfterStart() {
    setbacks.started();
    return setbacks.gateClosed();
  }

  @Test
  void aStartThatDoesNotLastLetsThePausesGrow() {
    assertThat(failures(7)).containsExactly(200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L);
  }

  @Test
  void theFifthFailureIsWorthAReportAndTheCountingBeginsAnew() {
    failures(4);
    assertThat(setbacks.worthAReport()).isFalse();

    failAfterStart();
    assertThat(setbacks.worthAReport()).isTrue();

    setbacks.reported();
    assertThat(failAfterStart()).isEqualTo(200);
    assertThat(setbacks.worthAReport()).isFalse();
  }

  @Test
  void aCopyThatHasLastedMakesUpForThoseBeforeIt() {
    failures(4);
    setbacks.started();
    nowMillis += Setbacks.LASTING.toMillis();

    assertThat(setbacks.failed()).isEqualTo(200);
  }

  @Test
  void timeInWhichNothingRanMakesUpForNothing() {
    failures(3);
    nowMillis += Setbacks.LASTING.toMillis();

    assertThat(failAfterStart()).isEqualTo(1_600);
  }

  @Test
  void theFirstClosedGateCostsNothingAndNoneIsWorthAReport() {
    List<Long> pauses = LongStream.range(0, 8).mapToObj(_ -> closeAfterStart()).toList();

    assertThat(pauses).containsExactly(0L, 200L, 400L, 800L, 1_600L, 3_200L, 5_000L, 5_000L);
    assertThat(setbacks.worthAReport()).isFalse();
  }

  @Test
  void theSameGateCountsOnce() {
    closeAfterStart();

    assertThat(setbacks.gateClosed()).isZero();
    assertThat(closeAfterStart()).isEqualTo(200);
  }
}
