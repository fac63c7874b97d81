package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * Counts the shard searches that coordinators send until this object is closed. It samples {@code
 * _nodes/stats/adaptive_selection} four times a second, because the counters of a node are lost
 * when it leaves. All counts are 0 on a server without these statistics.
 */
final class SelectionSampler implements AutoCloseable {

  private static final int SAMPLE_MILLIS = 250;
  private static final int WINDOW = 1000 / SAMPLE_MILLIS;

  private final MeasuredServer server;
  private final String victimId;
  private final Map<String, Counts> last = new LinkedHashMap<>();
  private final List<Counts> samples = new ArrayList<>();
  private final long startNanos = System.nanoTime();
  private final List<Double> sampleSeconds = new ArrayList<>();
  private final Thread thread;
  private volatile boolean closed;
  private volatile String failure = "";

  /**
   * Counts since the start.
   *
   * @param all all shard searches, including extra ones
   * @param victim shard searches on the impaired node
   * @param extra hedges and shadows
   */
  record Counts(long all, long victim, long extra, long failures) {
    static final Counts NONE = new Counts(0, 0, 0, 0);

    Counts plus(Counts other) {
      return new Counts(
          all + other.all, victim + other.victim, extra + other.extra, failures + other.failures);
    }

    /**
     * Returns the difference. The counters of a node restart at 0 after a coordinator has dropped
     * them.
     */
    Counts since(Counts before) {
      return all < before.all
          ? this
          : new Counts(
              all - before.all,
              victim - before.victim,
              extra - before.extra,
              failures - before.failures);
    }

    /** Returns the share of the impaired node in percent; NaN if nothing was counted. */
    double victimPercent() {
      return all == 0 ? Double.NaN : 100.0 * victim / all;
    }

    /** Returns the extra searches in percent of the other searches. */
    double extraPercent() {
      return all == extra ? Double.NaN : 100.0 * extra / (all - extra);
    }
  }

  SelectionSampler(MeasuredServer server, String victimId) throws IOException {
    this.server = server;
    this.victimId = victimId;
    now().forEach(last::put);
    thread = Thread.ofPlatform().daemon().name("selection-watch").start(this::run);
  }

  private void run() {
    try {
      while (!closed) {
        TimeUnit.MILLISECONDS.sleep(SAMPLE_MILLIS);
        sample();
      }
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sample() throws IOException {
    Counts sum = samples.isEmpty() ? Counts.NONE : samples.getLast();
    for (Map.Entry<String, Counts> node : now().entrySet()) {
      Counts before = last.getOrDefault(node.getKey(), Counts.NONE);
      sum = sum.plus(node.getValue().since(before));
      last.put(node.getKey(), node.getValue());
    }
    samples.add(sum);
    sampleSeconds.add((System.nanoTime() - startNanos) / 1e9);
  }

  private Map<String, Counts> now() throws IOException {
    Map<String, Counts> counts = new LinkedHashMap<>();
    JsonNode nodes = server.call("GET", "/_nodes/stats/adaptive_selection", "").path("nodes");
    for (var coordinator : nodes.properties()) {
      for (var seen : coordinator.getValue().path("adaptive_selection").properties()) {
        JsonNode told = seen.getValue();
        long searches = told.path("searches").asLong(0);
        counts.put(
            coordinator.getKey() + "/" + seen.getKey(),
            new Counts(
                searches,
                seen.getKey().equals(victimId) ? searches : 0,
                told.path("hedges").asLong(0) + told.path("shadows").asLong(0),
                told.path("failures").asLong(0)));
      }
    }
    return counts;
  }

  /** Ends the sampling and returns the counts. */
  Counts counts() throws IOException, InterruptedException {
    close();
    return samples.isEmpty() ? Counts.NONE : samples.getLast();
  }

  /**
   * Returns the time until the impaired node served this share of the searches within one second;
   * NaN if it never did.
   */
  double secondsUntil(double sharePercent) {
    for (int i = WINDOW; i < samples.size(); i++) {
      if (samples.get(i).since(samples.get(i - WINDOW)).victimPercent() >= sharePercent) {
        return sampleSeconds.get(i);
      }
    }
    return Double.NaN;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    closed = true;
    thread.join();
    if (!failure.isEmpty()) {
      throw new IOException(failure);
    }
  }
}
