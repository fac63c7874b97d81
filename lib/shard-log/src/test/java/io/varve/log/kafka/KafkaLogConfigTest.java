package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.junit.jupiter.api.Test;

class KafkaLogConfigTest {

  private final KafkaLogConfig config = KafkaLogConfig.of("127.0.0.1:9092", "node");

  @Test
  void noClientKeepsItsMetricsForAReporter() {
    for (Map<String, Object> client :
        List.of(config.producer(), config.consumer(), config.reader(), config.admin())) {
      assertThat(client)
          .containsEntry(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, "")
          .containsEntry(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
    }
  }
}
