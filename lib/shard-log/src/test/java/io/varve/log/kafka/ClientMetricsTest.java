package io.varve.log.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.log.kafka.ClientMetrics.Figure;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.MetricName;
import org.apache.kafka.common.metrics.Measurable;
import org.apache.kafka.common.metrics.Metrics;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how the metrics of clients are combined, with Kafka's own registry. */
class ClientMetricsTest {

  private final ClientMetrics metrics = new ClientMetrics();
  private final Metrics first = client();
  private final Metrics second = client();

  private Metrics client() {
    ClientReporter reporter = new ClientReporter();
    Map<String, Object> config = metrics.measured(new HashMap<>());
    reporter.configure(config);
    Metrics client = new Metrics();
    client.addReporter(reporter);
    return client;
  }

  @AfterEach
  void close() {
    first.close();
    second.close();
  }

  private static void set(Metrics client, String group, String name, double value) {
    set(client, group, name, Map.of("client-id", "x"), value);
  }

  private static void set(
      Metrics client, String group, String name, Map<String, String> tags, double value) {
    client.addMetric(new MetricName(name, group, "", tags), (Measurable) (_, _) -> value);
  }

  @Test
  void totalsCountClosedClientsToo() {
    set(first, "producer-metrics", "record-send-total", 3);
    set(second, "producer-metrics", "record-send-total", 4);

    assertThat(metrics.value(Figure.RECORDS_SENT)).isEqualTo(7);

    second.close();

    assertThat(metrics.value(Figure.RECORDS_SENT)).isEqualTo(7);
  }

  @Test
  void aTotalThatIsRemovedBeforeItsClientIsClosedCountsOnce() {
    set(first, "producer-metrics", "outgoing-byte-total", 3);

    first.removeMetric(
        new MetricName("outgoing-byte-total", "producer-metrics", "", Map.of("client-id", "x")));
    assertThat(metrics.value(Figure.BYTES_SENT)).isEqualTo(3);

    first.close();

    assertThat(metrics.value(Figure.BYTES_SENT)).isEqualTo(3);
  }

  @Test
  void aGaugeEndsWithItsClient() {
    set(first, "producer-metrics", "connection-count", 2);
    set(second, "producer-metrics", "connection-count", 1);
    assertThat(metrics.value(Figure.PRODUCER_CONNECTIONS)).isEqualTo(3);

    first.close();

    assertThat(metrics.value(Figure.PRODUCER_CONNECTIONS)).isEqualTo(1);
  }

  @Test
  void meansAndMaximaIgnoreIdleClients() {
    set(first, "producer-metrics", "request-latency-avg", 10);
    set(second, "producer-metrics", "request-latency-avg", Double.NaN);
    set(first, "consumer-fetch-manager-metrics", "fetch-latency-max", 5);
    set(second, "consumer-fetch-manager-metrics", "fetch-latency-max", 50);

    assertThat(metrics.value(Figure.PRODUCE_LATENCY_MEAN)).isEqualTo(10);
    assertThat(metrics.value(Figure.FETCH_LATENCY_MAX)).isEqualTo(50);
    assertThat(metrics.value(Figure.QUEUE_TIME_MEAN)).isNaN();
  }

  @Test
  void metricsOfSingleTopicsAreNotKept() {
    set(
        first,
        "consumer-fetch-manager-metrics",
        "records-consumed-total",
        Map.of("client-id", "x", "topic", "t"),
        100);

    assertThat(metrics.value(Figure.RECORDS_READ)).isZero();
    assertThat(List.of(Figure.values())).hasSizeLessThan(25);
  }
}
