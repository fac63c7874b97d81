package io.varve.host.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.host.search.SearchPool;
import io.varve.metrics.Metric;
import java.util.concurrent.TimeUnit;

/** Metrics of a node's search workers. */
final class SearchPoolMeters {

  static final Metric QUEUED =
      Metric.gauge(
          "varve.search.queued", "Searches that wait for a worker (`thread_pool.search.*`)");
  static final Metric RUNNING =
      Metric.gauge("varve.search.running", "Searches that run on a worker");
  static final Metric SERVICE_TIME =
      Metric.gauge(
          "varve.search.service.seconds",
          "Moving average (α 0.1) of the time that a search takes on a worker");
  static final Metric REJECTIONS =
      Metric.counter(
          "varve.search.rejections", "Searches rejected with 429 because the queue was full");
  static final Metric EXPIRATIONS =
      Metric.counter(
          "varve.search.expirations",
          "Searches dropped because their deadline passed in the queue");
  static final Metric CANCELLATIONS =
      Metric.counter(
          "varve.search.cancellations",
          "Searches stopped in the queue or while running, because another copy answered first or"
              + " the search was cancelled");

  private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

  private SearchPoolMeters() {}

  static void register(SearchPool pool, MeterRegistry meters) {
    QUEUED.register(meters, pool, p -> p.load().queueSize());
    RUNNING.register(meters, pool, p -> p.load().running());
    SERVICE_TIME.register(meters, pool, p -> p.load().serviceTimeEwmaNanos() / NANOS_PER_SECOND);
    REJECTIONS.register(meters, pool, SearchPool::rejections);
    EXPIRATIONS.register(meters, pool, SearchPool::expirations);
    CANCELLATIONS.register(meters, pool, SearchPool::cancellations);
  }
}
