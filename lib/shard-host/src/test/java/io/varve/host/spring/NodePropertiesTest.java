package io.varve.host.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ProcessCredentials;
import io.varve.host.NodeLimits;
import io.varve.host.NodeSettings;
import io.varve.host.RefreshTurns;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class NodePropertiesTest {

  private static NodeProperties bound(Map<String, String> given) {
    return new Binder(new MapConfigurationPropertySource(given))
        .bindOrCreate("varve", NodeProperties.class);
  }

  private static NodeSettings of(Map<String, String> given) {
    return bound(given).settings(new ProcessCredentials.None());
  }

  @Test
  void theTimeoutOfAppendsToTheLogCanBeSet() {
    NodeProperties changed = bound(Map.of("varve.kafka.append-timeout-millis", "60000"));

    assertThat(bound(Map.of()).kafka().log("node").appendTimeoutMillis()).isEqualTo(10_000);
    assertThat(changed.kafka().log("node").appendTimeoutMillis()).isEqualTo(60_000);
  }

  @Test
  void byDefaultTheProcessorsSayHowManyPeriodicRefreshesRun() {
    assertThat(of(Map.of()).periodicRefreshes())
        .isEqualTo(RefreshTurns.usualLimit(Runtime.getRuntime().availableProcessors()));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000})
  void theNumberOfPeriodicRefreshesCanBeSet(int refreshes) {
    NodeSettings settings = of(Map.of("varve.periodic-refreshes", Integer.toString(refreshes)));

    assertThat(settings.periodicRefreshes()).isEqualTo(refreshes);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 1001})
  void aNumberOfPeriodicRefreshesOutOfRangeEndsTheStart(int refreshes) {
    assertThatThrownBy(() -> of(Map.of("varve.periodic-refreshes", Integer.toString(refreshes))))
        .hasMessage("varve.periodic-refreshes must be 1 to 1000, was " + refreshes);
  }

  @Test
  void appendsOfAClosingPrimaryHaveTwoSecondsByDefault() {
    assertThat(of(Map.of()).limits()).isEqualTo(NodeLimits.DEFAULT);
    assertThat(NodeLimits.DEFAULT.closing())
        .isEqualTo(new NodeLimits.Closing(Duration.ofSeconds(2), Duration.ofSeconds(8)));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 600_000})
  void theTimeOfAppendsOfAClosingPrimaryCanBeSet(long millis) {
    NodeSettings settings = of(Map.of("varve.closing-timeout-millis", Long.toString(millis)));

    Duration appends = Duration.ofMillis(millis);
    assertThat(settings.limits().closing())
        .isEqualTo(new NodeLimits.Closing(appends, appends.plusSeconds(6)));
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, 600_001})
  void aTimeOfAppendsOfAClosingPrimaryOutOfRangeEndsTheStart(long millis) {
    assertThatThrownBy(() -> of(Map.of("varve.closing-timeout-millis", Long.toString(millis))))
        .rootCause()
        .hasMessage("varve.closing-timeout-millis must be 0 to 600000, was " + millis);
  }
}
