package io.varve.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the rules for names, and the names in Prometheus. */
class MetricTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"lag", "Varve.lag", "varve.lag.millis", "varve.bytes.total", "varve.x.percent"})
  void badNamesAreRefused(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> Metric.gauge(name, "help"));
  }

  @Test
  void helpAndLabelsAreChecked() {
    assertThatIllegalArgumentException().isThrownBy(() -> Metric.gauge("a.b", " "));
    assertThatIllegalArgumentException().isThrownBy(() -> Metric.gauge("a.b", "Help."));
    assertThatIllegalArgumentException().isThrownBy(() -> Metric.gauge("a.b", "help", "Not"));
  }

  @Test
  void prometheusAppendsASuffixByKind() {
    assertThat(Metric.gauge("a.b", "help").series()).containsExactly("a_b");
    assertThat(Metric.counter("a.b", "help").series()).containsExactly("a_b_total");
    assertThat(Metric.histogram("a.b", "help").series())
        .containsExactly(
            "a_b_seconds_count", "a_b_seconds_sum", "a_b_seconds_max", "a_b_seconds_bucket");
  }

  @Test
  void aMetricTakesAsManyValuesAsItHasLabels() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    Metric metric = Metric.gauge("a.b", "help", "kind");
    AtomicLong value = new AtomicLong(3);

    metric.register(registry, value, AtomicLong::get, "x");

    assertThat(registry.get("a.b").tag("kind", "x").gauge().value()).isEqualTo(3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> metric.register(registry, value, AtomicLong::get));
    assertThatIllegalStateException().isThrownBy(() -> metric.timer(registry, "x"));
  }
}
