package io.varve.log.kafka;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.DoubleStream;
import org.apache.kafka.clients.CommonClientConfigs;

/**
 * Selected metrics of the Kafka clients of a process. Clients are created and closed at run time,
 * so the values are those of all clients together: totals also count clients that are closed, and
 * an average is the mean of the averages of the clients that were active in the last half minute.
 *
 * <p>A client passes its metrics to a {@link ClientReporter}, which keeps only these.
 */
public final class ClientMetrics {

  /** The property under which a reporter finds its object of this class. */
  static final String PROPERTY = "varve.client.metrics";

  private static final String PRODUCER = "producer-metrics";
  private static final String FETCH = "consumer-fetch-manager-metrics";
  private static final String CONSUMER = "consumer-metrics";

  /** How the values of several clients are combined. */
  private enum Combined {
    TOTAL,
    SUM,
    MEAN,
    MAX
  }

  /** A metric of Kafka's producers or consumers. Times are milliseconds, sizes are bytes. */
  public enum Figure {
    RECORDS_SENT(PRODUCER, "record-send-total", Combined.TOTAL),
    RECORD_ERRORS(PRODUCER, "record-error-total", Combined.TOTAL),
    RECORD_RETRIES(PRODUCER, "record-retry-total", Combined.TOTAL),
    BYTES_SENT(PRODUCER, "outgoing-byte-total", Combined.TOTAL),
    PRODUCE_LATENCY_MEAN(PRODUCER, "request-latency-avg", Combined.MEAN),
    PRODUCE_LATENCY_MAX(PRODUCER, "request-latency-max", Combined.MAX),
    QUEUE_TIME_MEAN(PRODUCER, "record-queue-time-avg", Combined.MEAN),
    QUEUE_TIME_MAX(PRODUCER, "record-queue-time-max", Combined.MAX),
    THROTTLE_MAX(PRODUCER, "produce-throttle-time-max", Combined.MAX),
    BATCH_SIZE_MEAN(PRODUCER, "batch-size-avg", Combined.MEAN),
    COMPRESSION_MEAN(PRODUCER, "compression-rate-avg", Combined.MEAN),
    REQUESTS_IN_FLIGHT(PRODUCER, "requests-in-flight", Combined.SUM),
    BUFFER_AVAILABLE(PRODUCER, "buffer-available-bytes", Combined.SUM),
    PRODUCER_CONNECTIONS(PRODUCER, "connection-count", Combined.SUM),
    PRODUCER_CONNECTS(PRODUCER, "connection-creation-total", Combined.TOTAL),
    RECORDS_READ(FETCH, "records-consumed-total", Combined.TOTAL),
    BYTES_READ(FETCH, "bytes-consumed-total", Combined.TOTAL),
    FETCHES(FETCH, "fetch-total", Combined.TOTAL),
    FETCH_LATENCY_MEAN(FETCH, "fetch-latency-avg", Combined.MEAN),
    FETCH_LATENCY_MAX(FETCH, "fetch-latency-max", Combined.MAX),
    RECORDS_LAG_MAX(FETCH, "records-lag-max", Combined.MAX),
    CONSUMER_CONNECTIONS(CONSUMER, "connection-count", Combined.SUM),
    CONSUMER_CONNECTS(CONSUMER, "connection-creation-total", Combined.TOTAL);

    private final String group;
    private final String kafkaName;
    private final Combined combined;

    Figure(String group, String kafkaName, Combined combined) {
      this.group = group;
      this.kafkaName = kafkaName;
      this.combined = combined;
    }

    boolean is(String otherGroup, String otherName) {
      return group.equals(otherGroup) && kafkaName.equals(otherName);
    }
  }

  private final Set<ClientReporter> clients = ConcurrentHashMap.newKeySet();
  private final Map<Figure, Double> ended = new EnumMap<>(Figure.class);

  /** Returns the configuration with which a client reports its metrics here. */
  Map<String, Object> measured(Map<String, Object> config) {
    config.put(CommonClientConfigs.METRIC_REPORTER_CLASSES_CONFIG, ClientReporter.class.getName());
    config.put(PROPERTY, this);
    return config;
  }

  void opened(ClientReporter client) {
    clients.add(client);
  }

  synchronized void closed(ClientReporter client) {
    if (!clients.remove(client)) {
      return;
    }
    for (Figure figure : Figure.values()) {
      ended(figure, client.value(figure));
    }
  }

  /**
   * Records the last value of a metric that a client removes; it removes some metrics before it is
   * closed.
   */
  synchronized void ended(Figure figure, double last) {
    if (figure.combined == Combined.TOTAL && !Double.isNaN(last)) {
      ended.merge(figure, last, Double::sum);
    }
  }

  /** The value of all clients together; not a number if no client has one. */
  public synchronized double value(Figure figure) {
    DoubleStream values =
        clients.stream()
            .mapToDouble(client -> client.value(figure))
            .filter(value -> !Double.isNaN(value) && !Double.isInfinite(value));
    return switch (figure.combined) {
      case TOTAL -> values.sum() + ended.getOrDefault(figure, 0.0);
      case SUM -> values.sum();
      case MEAN -> values.average().orElse(Double.NaN);
      case MAX -> values.max().orElse(Double.NaN);
    };
  }
}
