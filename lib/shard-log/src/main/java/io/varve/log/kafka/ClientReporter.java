package io.varve.log.kafka;

import io.varve.log.kafka.ClientMetrics.Figure;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.metrics.KafkaMetric;
import org.apache.kafka.common.metrics.MetricsReporter;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the metrics of one Kafka client that {@link ClientMetrics} shows; created by the client.
 * Metrics of single topics, partitions and brokers are not kept.
 */
public final class ClientReporter implements MetricsReporter {

  private static final int TAGS_OF_A_CLIENT = 1;

  private final Map<Figure, KafkaMetric> kept = new ConcurrentHashMap<>();
  private @Nullable ClientMetrics metrics;

  @Override
  public void configure(Map<String, ?> configs) {
    metrics = (ClientMetrics) Objects.requireNonNull(configs.get(ClientMetrics.PROPERTY));
  }

  @Override
  public void init(List<KafkaMetric> present) {
    present.forEach(this::metricChange);
    if (metrics != null) {
      metrics.opened(this);
    }
  }

  @Override
  public void metricChange(KafkaMetric metric) {
    if (metric.metricName().tags().size() > TAGS_OF_A_CLIENT) {
      return;
    }
    for (Figure figure : Figure.values()) {
      if (figure.is(metric.metricName().group(), metric.metricName().name())) {
        kept.put(figure, metric);
      }
    }
  }

  @Override
  public void metricRemoval(KafkaMetric metric) {
    for (Figure figure : Figure.values()) {
      if (metrics != null && metric.equals(kept.get(figure))) {
        metrics.ended(figure, value(figure));
        kept.remove(figure);
      }
    }
  }

  /** The value of that metric; not a number if the client has none. */
  double value(Figure figure) {
    KafkaMetric metric = kept.get(figure);
    return metric != null && metric.metricValue() instanceof Number number
        ? number.doubleValue()
        : Double.NaN;
  }

  @Override
  public void close() {
    if (metrics != null) {
      metrics.closed(this);
    }
  }
}
