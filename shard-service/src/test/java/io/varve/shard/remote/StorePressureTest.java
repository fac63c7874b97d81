package io.varve.shard.remote;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StorePressureTest {

  private static final String DUE_TO =
      "rejected execution on primary shard:[books][0] due to remote segments lagging behind local"
          + " segments.";
  private static final StorePressure.Limits LIMITS = new StorePressure.Limits(true, 5, 10, 10, 20);

  @ParameterizedTest
  @CsvSource({
    // manifests, bytes, millis, failures, average bytes, average millis, what is said
    "0, 0, 0, 99, 0, 0, ",
    "1, 0, 0, 5, 0, 0, ",
    "1, 0, 0, 6, 0, 0, failure_streak_count:6 min_consecutive_failure_threshold:5",
    "1, 999999999, 999999, 0, 1, 1, ",
    "2, 999999999, 999999, 0, 0, 0, ",
    "2, 134217728, 0, 0, 1, 1, ",
    "2, 134217729, 0, 0, 1, 1, bytes_lag:134217729 dynamic_bytes_lag_threshold:1.34217728E8",
    "2, 200000000, 0, 0, 20000000, 1, ",
    "2, 200000001, 0, 0, 20000000, 1, bytes_lag:200000001 dynamic_bytes_lag_threshold:2.0E8",
    "2, 0, 30000, 0, 1, 1, ",
    "2, 0, 30001, 0, 1, 1, time_lag:30001 ms dynamic_time_lag_threshold:30000.0 ms",
    "2, 0, 50000, 0, 1, 5000, ",
    "2, 0, 50001, 0, 1, 5000, time_lag:50001 ms dynamic_time_lag_threshold:50000.0 ms",
  })
  void writesAreRefusedWhenTheStoreFallsBehind(
      long manifests,
      long bytes,
      long millis,
      int failures,
      double averageBytes,
      double averageMillis,
      String said) {
    var lag =
        new StorePressure.Lag(manifests, bytes, millis, failures, averageBytes, averageMillis);
    assertThat(StorePressure.refusal("[books][0]", lag, LIMITS).orElse(null))
        .isEqualTo(said == null ? null : DUE_TO + said);
  }

  @Test
  void writesAreAcceptedIfThePressureIsDisabled() {
    var lag = new StorePressure.Lag(9, 1L << 40, 1L << 40, 99, 1, 1);
    assertThat(StorePressure.refusal("s", lag, new StorePressure.Limits(false, 1, 1, 1, 5)))
        .isEmpty();
  }

  @Test
  void anAverageIsOfTheNewestValues() {
    MovingAverage average = new MovingAverage();
    assertThat(average.value()).isZero();
    for (int i = 1; i <= 7; i++) {
      average.add(i, 5);
      assertThat(average.isReady(5)).isEqualTo(i >= 5);
    }
    assertThat(average.value()).isEqualTo(5);
    average.add(9, 2);
    assertThat(average.value()).isEqualTo(8);
  }
}
