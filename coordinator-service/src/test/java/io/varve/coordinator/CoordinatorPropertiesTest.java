package io.varve.coordinator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.coordinator.cluster.CoordinatorSettings;
import io.varve.coordinator.cluster.FaultSettings;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class CoordinatorPropertiesTest {

  private static CoordinatorProperties bound(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate("varve", CoordinatorProperties.class);
  }

  private static CoordinatorSettings settings(Map<String, String> properties) {
    return bound(properties).settings();
  }

  @Test
  void theTimeoutOfAppendsToTheLogCanBeSet() {
    CoordinatorProperties changed = bound(Map.of("varve.kafka.append-timeout-millis", "60000"));

    assertThat(bound(Map.of()).kafka().log("one").appendTimeoutMillis()).isEqualTo(10_000);
    assertThat(changed.kafka().log("one").appendTimeoutMillis()).isEqualTo(60_000);
  }

  @Test
  void theDetectionOfFaultsHasTheseDefaults() {
    CoordinatorSettings settings = settings(Map.of());
    assertThat(settings.heartbeatMillis()).isEqualTo(500);
    assertThat(settings.nodeTimeoutMillis()).isEqualTo(5_000);
    assertThat(settings.leaderTimeoutMillis()).isEqualTo(3_000);
    assertThat(settings.faults()).isEqualTo(new FaultSettings(1_000, 200, 1_000));
  }

  @Test
  void theTimeoutOfANodeThatRefusesConnectionsFollowsTheInterval() {
    Map<String, String> slow =
        Map.of("varve.node.heartbeat-millis", "2000", "varve.node.timeout-millis", "10000");
    assertThat(settings(slow).faults().refusedTimeoutMillis()).isEqualTo(4_000);
  }

  @Test
  void theDetectionOfFaultsHasTheseProperties() {
    assertThat(
            settings(
                    Map.of(
                        "varve.node.refused-timeout-millis", "500",
                        "varve.node.probe.interval-millis", "1",
                        "varve.node.probe.timeout-millis", "1"))
                .faults())
        .isEqualTo(new FaultSettings(500, 1, 1));
  }

  @ParameterizedTest
  @CsvSource({
    "varve.node.refused-timeout-millis, 499, 'must be >= varve.node.heartbeat-millis, was 499'",
    "varve.node.refused-timeout-millis, 0, 'must be >= 1, was 0'",
    "varve.node.probe.interval-millis, 0, 'must be >= 1, was 0'",
    "varve.node.probe.timeout-millis, 0, 'must be >= 1, was 0'",
  })
  void valuesOutOfRangeAreRefused(String name, String value, String reason) {
    assertThatThrownBy(() -> settings(Map.of(name, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(name + " " + reason);
  }
}
