package io.varve.coordinator.security;

import io.micrometer.core.instrument.MeterRegistry;
import io.varve.metrics.Metric;
import io.varve.rest.RequestRunner;
import io.varve.rpc.ApiException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Limits the requests of one user that this coordinator runs concurrently, so that one user cannot
 * block the others. Requests with API keys of a user count as requests of that user.
 */
final class UserRequests {

  static final Metric REFUSED =
      Metric.counter(
          "varve.security.requests.refused",
          "Requests refused with 429 because `varve.security.requests-per-user` of their user were"
              + " running");

  private final int limit;
  private final Map<String, Integer> running = new ConcurrentHashMap<>();
  private final LongAdder refused = new LongAdder();

  /**
   * @param limit requests of one user
   */
  UserRequests(int limit) {
    this.limit = limit;
  }

  void register(MeterRegistry meters) {
    REFUSED.register(meters, refused, LongAdder::sum);
  }

  /**
   * Runs a request.
   *
   * @throws ApiException of the request, or 429: the user has too many requests; the request was
   *     not run
   */
  void run(String user, RequestRunner.Action request) throws InterruptedException {
    begin(user);
    try {
      request.run();
    } finally {
      end(user);
    }
  }

  private void begin(String user) {
    if (running.merge(user, 1, Integer::sum) > limit) {
      end(user);
      refused.increment();
      throw new ApiException(
          429,
          "rejected_execution_exception",
          "[" + limit + "] requests of the user [" + user + "] are running");
    }
  }

  private void end(String user) {
    running.computeIfPresent(user, (_, count) -> count == 1 ? null : count - 1);
  }
}
