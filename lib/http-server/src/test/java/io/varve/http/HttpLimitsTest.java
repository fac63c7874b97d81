package io.varve.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class HttpLimitsTest {

  @Test
  void hasTheDocumentedDefaults() {
    HttpLimits limits = bind(Map.of());
    assertThat(limits.headerTimeout()).hasSeconds(30);
    assertThat(limits.minRate().toBytes()).isEqualTo(1024);
    assertThat(limits.rateGrace()).hasSeconds(30);
    assertThat(limits.idleTimeout()).hasMinutes(5);
    assertThat(limits.maxConnections()).isZero();
    assertThat(limits.maxHeaderSize().toKilobytes()).isEqualTo(16);
    assertThat(limits.drainTimeout()).hasSeconds(10);
  }

  @ParameterizedTest
  @CsvSource({
    "http.header-timeout, 2s",
    "http.min-rate, 2KB",
    "http.rate-grace, 3s",
    "http.idle-timeout, 4s",
    "http.max-connections, 7",
    "http.max-header-size, 5KB",
    "http.drain-timeout, 5s"
  })
  void takesEachPropertyByItsName(String name, String value) {
    assertThat(bind(Map.of(name, value))).isNotEqualTo(bind(Map.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "http.header-timeout, 999ms",
    "http.header-timeout, 601s",
    "http.rate-grace, 0s",
    "http.rate-grace, 601s",
    "http.idle-timeout, 999ms",
    "http.idle-timeout, 3601s",
    "http.min-rate, -1B",
    "http.min-rate, 1025MB",
    "http.max-connections, -1",
    "http.max-connections, 1000001",
    "http.max-header-size, 4095B",
    "http.max-header-size, 1048577B",
    "http.drain-timeout, -1ms",
    "http.drain-timeout, 601s"
  })
  void refusesWhatIsOutOfRangeByName(String name, String value) {
    assertThatThrownBy(() -> bind(Map.of(name, value)))
        .isInstanceOf(BindException.class)
        .hasRootCauseInstanceOf(IllegalArgumentException.class)
        .rootCause()
        .hasMessageContaining(name);
  }

  @Test
  void allowsConnectionsByTheHeapUnlessTold() {
    HttpLimits limits = bind(Map.of());
    assertThat(limits.connections(64 << 20)).isEqualTo(1024);
    assertThat(limits.connections(512 << 20)).isEqualTo(4096);
    assertThat(limits.connections(64L << 30)).isEqualTo(20_000);
    assertThat(bind(Map.of("http.max-connections", "3")).connections(64 << 20)).isEqualTo(3);
  }

  private static HttpLimits bind(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate("http", HttpLimits.class);
  }
}
