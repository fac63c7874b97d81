package io.varve.engine.slowlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.slowlog.SlowLog.Phase;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.event.Level;

class SlowLogTest {

  private static final long MILLI = 1_000_000;

  private static final Map<String, String> THRESHOLDS =
      Map.of(
          "index.search.slowlog.threshold.query.warn", "10s",
          "index.search.slowlog.threshold.query.info", "1s",
          "index.search.slowlog.threshold.query.trace", "500micros");

  @ParameterizedTest
  @CsvSource({"10001, WARN", "10000, INFO", "1001, INFO", "1000, TRACE", "1, TRACE", "0,"})
  void theMostSevereLevelWhoseThresholdIsExceeded(long millis, Level level) {
    assertThat(SlowLog.of(Phase.QUERY, THRESHOLDS).level(millis * MILLI)).isEqualTo(level);
  }

  @Test
  void eachPhaseHasThresholdsOfItsOwn() {
    assertThat(SlowLog.of(Phase.QUERY, THRESHOLDS).enabled()).isTrue();
    assertThat(SlowLog.of(Phase.FETCH, THRESHOLDS).enabled()).isFalse();
    assertThat(SlowLog.of(Phase.INDEX, THRESHOLDS).enabled()).isFalse();
    assertThat(
            SlowLog.of(Phase.INDEX, Map.of("index.indexing.slowlog.threshold.index.debug", "0"))
                .level(1))
        .isEqualTo(Level.DEBUG);
  }

  @Test
  void nothingIsLoggedBelowTheLeastSevereLevel() {
    SlowLog log =
        SlowLog.of(
            Phase.FETCH,
            Map.of(
                "index.search.slowlog.threshold.fetch.warn", "1s",
                "index.search.slowlog.threshold.fetch.debug", "1ms",
                "index.search.slowlog.level", "info"));

    assertThat(log.level(2_000 * MILLI)).isEqualTo(Level.WARN);
    assertThat(log.level(2 * MILLI)).isNull();
  }

  @Test
  void aMalformedThresholdLogsNothing() {
    assertThat(
            SlowLog.of(Phase.QUERY, Map.of("index.search.slowlog.threshold.query.warn", "soon"))
                .enabled())
        .isFalse();
  }
}
