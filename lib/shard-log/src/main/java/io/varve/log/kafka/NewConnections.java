package io.varve.log.kafka;

import java.util.Optional;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.Metric;
import org.apache.kafka.common.MetricName;
import org.jspecify.annotations.Nullable;

/**
 * Detects, from a consumer's metrics, whether it has opened connections since the last call. A poll
 * returns records that were read over a new connection only after the count has risen. Not
 * thread-safe.
 */
final class NewConnections {

  private static final String GROUP = "consumer-metrics";
  private static final String CREATED = "connection-creation-total";

  private final @Nullable Metric created;
  private double known;

  NewConnections(Consumer<?, ?> consumer) {
    this.created = find(consumer).orElse(null);
  }

  private static Optional<Metric> find(Consumer<?, ?> consumer) {
    return consumer.metrics().entrySet().stream()
        .filter(entry -> isTotal(entry.getKey()))
        .map(entry -> (Metric) entry.getValue())
        .findFirst();
  }

  private static boolean isTotal(MetricName name) {
    return name.group().equals(GROUP) && name.name().equals(CREATED);
  }

  boolean sinceLastCall() {
    if (created == null || !(created.metricValue() instanceof Double now)) {
      return false;
    }
    boolean more = now > known;
    known = now;
    return more;
  }
}
