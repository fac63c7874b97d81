package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

  private static final int CALLS = 100_000;
  private static final double MEAN_SECONDS = 0.01;

  private static long[] gapsNanos(long seed) {
    Arrivals arrivals = new Arrivals(new SplittableRandom(seed), MEAN_SECONDS, 1_000);
    long[] due = LongStream.generate(arrivals::nextNanos).limit(CALLS).toArray();
    return LongStream.range(0, CALLS)
        .map(n -> due[(int) n] - (n == 0 ? 1_000 : due[(int) n - 1]))
        .toArray();
  }

  @Test
  void callsComeAtTheRateThatWasAskedFor() {
    double mean = LongStream.of(gapsNanos(1)).average().orElseThrow() / 1e9;
    assertThat(mean).isCloseTo(MEAN_SECONDS, within(MEAN_SECONDS * 0.02));
  }

  /**
   * In an exponential distribution, a share of 1 - 1/e of the gaps is below the mean, and 5% exceed
   * three times the mean.
   */
  @Test
  void theTimeBetweenTwoIsExponential() {
    long[] gaps = gapsNanos(2);
    assertThat(shareBelow(gaps, MEAN_SECONDS)).isCloseTo(1 - Math.exp(-1), within(0.01));
    assertThat(shareBelow(gaps, 3 * MEAN_SECONDS)).isCloseTo(1 - Math.exp(-3), within(0.01));
  }

  private static double shareBelow(long[] gaps, double seconds) {
    return (double) LongStream.of(gaps).filter(gap -> gap < seconds * 1e9).count() / CALLS;
  }

  @Test
  void aSeedDrawsTheSameTimesAgain() {
    assertThat(gapsNanos(3)).isEqualTo(gapsNanos(3)).isNotEqualTo(gapsNanos(4));
  }
}
