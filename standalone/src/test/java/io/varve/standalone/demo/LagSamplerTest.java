package io.varve.standalone.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the quantiles of the lags that the demo reports. */
class LagSamplerTest {

  @ParameterizedTest
  @CsvSource({
    "1, 0.5, 1",
    "1, 0.99, 1",
    "2, 0.5, 1",
    "3, 0.5, 2",
    "4, 0.5, 2",
    "10, 0.7, 7",
    "10, 0.99, 10",
    "100, 0.5, 50",
    "100, 0.55, 55",
    "100, 0.99, 99",
    "101, 0.99, 100",
    "1000, 0.999, 999",
    "10, 0, 1",
    "10, 1, 10",
  })
  void aQuantileIsTheLeastLagThatThatShareDidNotExceed(int count, double quantile, long millis) {
    List<Long> sorted = LongStream.rangeClosed(1, count).boxed().toList();

    assertThat(LagSampler.quantileMillis(sorted, quantile)).isEqualTo(millis);
  }

  @Test
  void noSamplesHaveNoQuantile() {
    assertThat(LagSampler.quantileMillis(List.of(), 0.5)).isEqualTo(-1);
  }
}
