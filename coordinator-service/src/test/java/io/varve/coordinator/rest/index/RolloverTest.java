package io.varve.coordinator.rest.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the names and conditions of rollovers. */
class RolloverTest {

  @ParameterizedTest
  @CsvSource({
    "logs-1, logs-000002",
    "logs-000009, logs-000010",
    "a-b-999999, a-b-1000000",
    "<logs-{now/d}-1>, <logs-{now/d}-000002>"
  })
  void theNextNameCountsUp(String provided, String next) {
    assertThat(RolloverNames.next(provided)).isEqualTo(next);
  }

  @ParameterizedTest
  @ValueSource(strings = {"logs", "logs-1a", "<logs-{now/d}>", "logs-99999999999"})
  void aNameWithoutANumberHasNoNext(String provided) {
    assertThatThrownBy(() -> RolloverNames.next(provided)).isInstanceOf(ApiException.class);
  }

  @Test
  void eachConditionIsAnsweredByItsText() {
    Map<String, Object> conditions = new LinkedHashMap<>();
    conditions.put("max_docs", 10);
    conditions.put("max_size", "1kb");
    conditions.put("max_age", "1h");
    RolloverConditions read = RolloverConditions.read(conditions);
    assertThat(read.results(new RolloverConditions.IndexSize(3_600_000, 9, 1024)))
        .containsExactly(
            Map.entry("[max_docs: 10]", false),
            Map.entry("[max_size: 1kb]", true),
            Map.entry("[max_age: 1h]", true));
    assertThatThrownBy(() -> RolloverConditions.read(Map.of("max_mood", 1)))
        .hasMessageContaining("max_mood");
    assertThat(RolloverConditions.read(Map.of()).none()).isTrue();
  }
}
