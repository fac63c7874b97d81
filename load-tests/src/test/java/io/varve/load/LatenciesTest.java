package io.varve.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LatenciesTest {

  /** Returns latencies of 1, 2, … {@code count} milliseconds, added in descending order. */
  private static Latencies upTo(long count) {
    Latencies latencies = new Latencies();
    LongStream.iterate(count, n -> n > 0, n -> n - 1).forEach(n -> latencies.add(n * 1_000_000));
    return latencies;
  }

  @ParameterizedTest
  @CsvSource({
    "1,    0.5,   1",
    "1,    0.99,  1",
    "2,    0.5,   1",
    "3,    0.5,   2",
    "4,    0.5,   2",
    "5,    0.5,   3",
    "10,   0.9,   9",
    "100,  0.07,  7",
    "100,  0.99,  99",
    "100,  0.999, 100",
    "100,  0,     1",
    "100,  1,     100",
    "1000, 0.99,  990",
    "5000, 0.999, 4995"
  })
  void aQuantileIsTheLeastThatSuchAShareDidNotExceed(long calls, double quantile, double millis) {
    assertThat(upTo(calls).quantile(quantile)).isEqualTo(millis);
  }

  @Test
  void nothingHasNoQuantile() {
    assertThat(new Latencies().quantile(0.5)).isNaN();
  }

  @Test
  void everyCallIsCounted() {
    assertThat(upTo(3_000).count()).isEqualTo(3_000);
  }
}
