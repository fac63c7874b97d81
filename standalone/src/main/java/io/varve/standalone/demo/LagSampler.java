package io.varve.standalone.demo;

import io.varve.standalone.RestCalls;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/** Samples lags under load, every {@value #PERIOD_MILLIS} ms. */
final class LagSampler implements AutoCloseable {

  private static final long PERIOD_MILLIS = 100;

  /** Reads the lags of this moment, in milliseconds. */
  interface Source {
    List<Long> lagsMillis() throws IOException;
  }

  private final Source source;
  private final List<Long> lagsMillis = Collections.synchronizedList(new ArrayList<>());
  private final ScheduledFuture<?> sampling;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("lag-sampler").factory());

  LagSampler(Source source) {
    this.source = source;
    sampling =
        timer.scheduleWithFixedDelay(
            this::sample, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
  }

  /**
   * Samples how long the most recent refresh replicated to the replica took to become visible
   * there.
   */
  static LagSampler ofReplica(RestCalls rest, String index) {
    return new LagSampler(() -> {
      List<Long> lags = new ArrayList<>();
      for (JsonNode row :
          rest.get("/_cat/segment_replication/" + index + "?format=json&time=ms&bytes=b").json()) {
        String lag = row.path("last_completed_lag").asString("");
        if (!lag.isEmpty()) {
          lags.add(Long.parseLong(lag));
        }
      }
      return lags;
    });
  }

  static LagSampler ofNothing() {
    return new LagSampler(List::of);
  }

  private void sample() {
    try {
      lagsMillis.addAll(source.lagsMillis());
    } catch (IOException | RuntimeException e) {
      System.err.println("varve: a sample of the lag is missing: " + e.getMessage());
    }
  }

  /** Returns the {@code quantile} of the sampled lags, or -1 if there are no samples. */
  long quantileMillis(double quantile) {
    return quantileMillis(lagsMillis.stream().sorted().toList(), quantile);
  }

  /** Computes a quantile by the nearest-rank method. */
  static long quantileMillis(List<Long> sortedMillis, double quantile) {
    int count = sortedMillis.size();
    if (count == 0) {
      return -1;
    }
    // The subtraction keeps a rounding error of the product from raising the rank.
    int rank = Math.clamp((long) Math.ceil(quantile * count - 1e-9), 1, count);
    return sortedMillis.get(rank - 1);
  }

  @Override
  public void close() {
    sampling.cancel(false);
    // A sample in progress ends by itself: an interrupted one would be reported as missing.
    timer.shutdown();
  }
}
