package io.varve.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TimeValuesTest {

  @ParameterizedTest
  @CsvSource({
    "-1, -1",
    "0, 0",
    "7nanos, 7",
    "500micros, 500000",
    "20ms, 20000000",
    "2S, 2000000000",
    "1d, 86400000000000",
    "99999999d, 3153600000000000000",
  })
  void nanosKeepTheSmallestUnits(String value, long nanos) {
    assertThat(TimeValues.nanos("a setting", value)).isEqualTo(nanos);
  }

  @Test
  void nanosRefuseWhatIsNoDuration() {
    assertThatThrownBy(() -> TimeValues.nanos("a setting", "5")).isInstanceOf(ApiException.class);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0nanos",
    "999, 999nanos",
    "1500, 1.5micros",
    "12340000, 12.3ms",
    "20000000, 20ms",
    "90000000000, 1.5m",
    "9223372036854775807, 106751.9d",
  })
  void aTextHasOneDigitAfterThePointAndTheLargestUnitThatFits(long nanos, String text) {
    assertThat(TimeValues.text(nanos)).isEqualTo(text);
  }
}
