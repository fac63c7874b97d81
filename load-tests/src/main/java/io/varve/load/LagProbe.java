package io.varve.load;

import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Samples the replicas' {@code last_completed_lag} during a load. */
final class LagProbe implements AutoCloseable {

  private static final long PERIOD_MILLIS = 200;

  private final MeasuredServer server;
  private final String index;
  private final Latencies lags = new Latencies();
  private final ScheduledFuture<?> sampling;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("lag-probe").factory());

  LagProbe(MeasuredServer server, String index) {
    this.server = server;
    this.index = index;
    sampling =
        timer.scheduleWithFixedDelay(
            this::sample, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void sample() {
    try {
      for (JsonNode row :
          server.call(
              "GET", "/_cat/segment_replication/" + index + "?format=json&time=ms&bytes=b", "")) {
        String lag = row.path("last_completed_lag").asString("").replaceAll("\\D", "");
        if (!lag.isEmpty()) {
          lags.add(TimeUnit.MILLISECONDS.toNanos(Long.parseLong(lag)));
        }
      }
    } catch (IOException | RuntimeException e) {
      System.err.println("bench: failed to sample the replication lag: " + e.getMessage());
    }
  }

  int count() {
    return lags.count();
  }

  double quantileMillis(double quantile) {
    return lags.quantile(quantile);
  }

  @Override
  public void close() {
    sampling.cancel(false);
    timer.shutdownNow();
  }
}
