package io.varve.coordinator.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DateMathNameTest {

  private static final long NOW = Instant.parse("2024-03-22T20:30:00Z").toEpochMilli();

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "plain; plain",
        "<logs>; logs",
        "<logs-{now/d}>; logs-2024.03.22",
        "<logs-{now/M}>; logs-2024.03.01",
        "<logs-{now/M{yyyy.MM}}>; logs-2024.03",
        "<logs-{now/M-1M{yyyy.MM}}>; logs-2024.02",
        "<logs-{now/d{yyyy.MM.dd|+12:00}}>; logs-2024.03.23",
        "<a-{now/d}-b-{now-1d/d{dd}}>; a-2024.03.22-b-21",
        "<elastic\\{ON\\}-{now/M}>; elastic{ON}-2024.03.01"
      })
  void namesHoldDates(String expression, String name) {
    assertThat(DateMathName.resolve(expression, NOW)).isEqualTo(name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"<a-{now/d>", "<a-}>", "<a-{now/q}>", "<a-{now/d{nonsense!}}>", "<{}>"})
  void whatIsNoDateIsRefused(String expression) {
    assertThatThrownBy(() -> DateMathName.resolve(expression, NOW))
        .isInstanceOf(ApiException.class);
  }
}
