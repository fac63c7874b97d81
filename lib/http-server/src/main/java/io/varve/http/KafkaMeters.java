package io.varve.http;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.log.kafka.ClientMetrics;
import io.varve.log.kafka.ClientMetrics.Figure;
import io.varve.metrics.Metric;

/** Metrics of the Kafka clients with which a process writes and reads the log. */
public final class KafkaMeters {

  static final Metric RECORDS_SENT =
      Metric.counter("varve.kafka.producer.records", "Records sent to the log");
  static final Metric RECORD_ERRORS =
      Metric.counter("varve.kafka.producer.errors", "Records whose append failed or is unknown");
  static final Metric RECORD_RETRIES =
      Metric.counter("varve.kafka.producer.retries", "Records that were sent again");
  static final Metric BYTES_SENT =
      Metric.counter("varve.kafka.producer.sent.bytes", "Bytes sent to the brokers by producers");
  static final Metric PRODUCE_LATENCY =
      Metric.gauge("varve.kafka.producer.latency.seconds", "Mean time of a produce request");
  static final Metric PRODUCE_LATENCY_MAX =
      Metric.gauge("varve.kafka.producer.latency.max.seconds", "Longest produce request");
  static final Metric QUEUE_TIME =
      Metric.gauge(
          "varve.kafka.producer.queue.seconds", "Mean time of a batch in the producer's queue");
  static final Metric QUEUE_TIME_MAX =
      Metric.gauge(
          "varve.kafka.producer.queue.max.seconds",
          "Longest time of a batch in the producer's queue");
  static final Metric THROTTLE =
      Metric.gauge(
          "varve.kafka.producer.throttle.max.seconds",
          "Longest time for which a broker throttled a produce request");
  static final Metric BATCH =
      Metric.gauge("varve.kafka.producer.batch.bytes", "Mean size of a batch");
  static final Metric COMPRESSION =
      Metric.gauge(
          "varve.kafka.producer.compression.ratio",
          "Mean ratio of the compressed size of a batch to its uncompressed size");
  static final Metric IN_FLIGHT =
      Metric.gauge("varve.kafka.producer.in.flight", "Produce requests without an answer");
  static final Metric BUFFER =
      Metric.gauge("varve.kafka.producer.buffer.available.bytes", "Free memory of the producers");
  static final Metric PRODUCER_CONNECTIONS =
      Metric.gauge("varve.kafka.producer.connections", "Open connections of producers");
  static final Metric PRODUCER_CONNECTS =
      Metric.counter("varve.kafka.producer.connects", "Connections that producers opened");
  static final Metric RECORDS_READ =
      Metric.counter("varve.kafka.consumer.records", "Records read from the log");
  static final Metric BYTES_READ =
      Metric.counter("varve.kafka.consumer.read.bytes", "Bytes read from the log");
  static final Metric FETCHES = Metric.counter("varve.kafka.consumer.fetches", "Fetch requests");
  static final Metric FETCH_LATENCY =
      Metric.gauge(
          "varve.kafka.consumer.latency.seconds",
          "Mean time of a fetch request, with its wait for new records at the broker");
  static final Metric FETCH_LATENCY_MAX =
      Metric.gauge("varve.kafka.consumer.latency.max.seconds", "Longest fetch request");
  static final Metric RECORDS_LAG =
      Metric.gauge(
          "varve.kafka.consumer.lag.records",
          "Maximum number of records of a partition that a consumer had not read when it fetched");
  static final Metric CONSUMER_CONNECTIONS =
      Metric.gauge("varve.kafka.consumer.connections", "Open connections of consumers");
  static final Metric CONSUMER_CONNECTS =
      Metric.counter("varve.kafka.consumer.connects", "Connections that consumers opened");

  private static final double MILLIS_PER_SECOND = 1000;

  private KafkaMeters() {}

  /** Registers the metrics of the clients that report to {@code clients}. */
  public static void register(ClientMetrics clients, MeterRegistry meters) {
    of(RECORDS_SENT, Figure.RECORDS_SENT, clients, meters);
    of(RECORD_ERRORS, Figure.RECORD_ERRORS, clients, meters);
    of(RECORD_RETRIES, Figure.RECORD_RETRIES, clients, meters);
    of(BYTES_SENT, Figure.BYTES_SENT, clients, meters);
    time(PRODUCE_LATENCY, Figure.PRODUCE_LATENCY_MEAN, clients, meters);
    time(PRODUCE_LATENCY_MAX, Figure.PRODUCE_LATENCY_MAX, clients, meters);
    time(QUEUE_TIME, Figure.QUEUE_TIME_MEAN, clients, meters);
    time(QUEUE_TIME_MAX, Figure.QUEUE_TIME_MAX, clients, meters);
    time(THROTTLE, Figure.THROTTLE_MAX, clients, meters);
    of(BATCH, Figure.BATCH_SIZE_MEAN, clients, meters);
    of(COMPRESSION, Figure.COMPRESSION_MEAN, clients, meters);
    of(IN_FLIGHT, Figure.REQUESTS_IN_FLIGHT, clients, meters);
    of(BUFFER, Figure.BUFFER_AVAILABLE, clients, meters);
    of(PRODUCER_CONNECTIONS, Figure.PRODUCER_CONNECTIONS, clients, meters);
    of(PRODUCER_CONNECTS, Figure.PRODUCER_CONNECTS, clients, meters);
    of(RECORDS_READ, Figure.RECORDS_READ, clients, meters);
    of(BYTES_READ, Figure.BYTES_READ, clients, meters);
    of(FETCHES, Figure.FETCHES, clients, meters);
    time(FETCH_LATENCY, Figure.FETCH_LATENCY_MEAN, clients, meters);
    time(FETCH_LATENCY_MAX, Figure.FETCH_LATENCY_MAX, clients, meters);
    of(RECORDS_LAG, Figure.RECORDS_LAG_MAX, clients, meters);
    of(CONSUMER_CONNECTIONS, Figure.CONSUMER_CONNECTIONS, clients, meters);
    of(CONSUMER_CONNECTS, Figure.CONSUMER_CONNECTS, clients, meters);
  }

  private static void of(
      Metric metric, Figure figure, ClientMetrics clients, MeterRegistry meters) {
    var _ = metric.register(meters, clients, c -> c.value(figure));
  }

  private static void time(
      Metric metric, Figure figure, ClientMetrics clients, MeterRegistry meters) {
    var _ = metric.register(meters, clients, c -> c.value(figure) / MILLIS_PER_SECOND);
  }
}
