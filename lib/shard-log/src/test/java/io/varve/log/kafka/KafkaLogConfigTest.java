package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  @Test
  void aConsumerThatFollowsReadsWithinItsLimits() {
    KafkaLogConfig limited = config.withFetch(new KafkaLogConfig.Fetch(7, 4_096, 20, 350, 3_000));

    assertThat(limited.consumer())
        .containsEntry(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 7)
        .containsEntry(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 4_096)
        .containsEntry(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 20);
    assertThat(limited.patientConsumer())
        .containsEntry(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 7)
        .containsEntry(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 350);
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "lz4", "zstd"})
  void theProducerCompressesAsConfigured(String compression) {
    assertThat(config.withCompression(compression).producer())
        .containsEntry(ProducerConfig.COMPRESSION_TYPE_CONFIG, compression);
  }

  @Test
  void anUnknownCompressionIsRefusedByTheNameOfItsProperty() {
    assertThatThrownBy(() -> config.withCompression("gzip"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("varve.kafka.compression must be none, lz4 or zstd, was [gzip]");
  }

  @Test
  void anAppendHasTenSecondsUnlessAnotherLimitIsSet() {
    assertThat(config.producer()).containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, 10_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1_000, 600_000})
  void anAppendHasTheConfiguredLimit(int millis) {
    assertThat(config.withAppendTimeout(millis).producer())
        .containsEntry(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, millis);
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 999, 600_001})
  void aLimitOfAppendsOutOfRangeIsRefusedByTheNameOfItsProperty(int millis) {
    assertThatThrownBy(() -> config.withAppendTimeout(millis))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "varve.kafka.append-timeout-millis must be 1000 to 600000, was %d".formatted(millis));
  }

  @ParameterizedTest
  @CsvSource({"0,1,1,1,1", "1,0,1,1,1", "1,1,0,1,1", "1,1,2,1,1", "1,1,1,1,0"})
  void limitsOfAReadOutOfRangeAreRefused(
      int records, int bytes, int promptMillis, int patientMillis, int offsetMillis) {
    assertThatThrownBy(() ->
            new KafkaLogConfig.Fetch(records, bytes, promptMillis, patientMillis, offsetMillis))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("limits of a read must be >= 1");
  }
}
