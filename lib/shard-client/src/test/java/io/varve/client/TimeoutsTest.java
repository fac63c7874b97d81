package io.varve.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeoutsTest {

  @ParameterizedTest
  @CsvSource({"PT0S, PT0.001S", "PT-0.001S, PT24H", "PT5S, PT5S"})
  void areTimesThatTheHttpClientTakes(Duration given, Duration taken) {
    assertThat(Timeouts.ofUser(given)).isEqualTo(taken);
  }
}
