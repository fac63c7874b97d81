package io.varve.load;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;

/**
 * What coordinators sent while this is open, from {@code _nodes/stats/adaptive_selection}, looked
 * at four times a second: a node that leaves takes its figures along. All 0 on a server that does
 * not tell.
 */
final class SelectionWatch implements AutoCloseable {

  private static final int LOOK_MILLIS = 250;
  private static final int WINDOW = 1000 / LOOK_MILLIS;

  private final Server server;
  private final String victimId;
  private final Map<String, Counts> last = new LinkedHashMap<>();
  private final List<Counts> looks = new ArrayList<>();
  private final long begunNanos = System.nanoTime();
  private final List<Double> lookSeconds = new ArrayList<>();
  private final Thread thread;
  private volatile boolean over;
  private volatile String failure = "";

  /**
   * Since the beginning.
   *
   * @param all searches of shards, extra ones too
   * @param victim those of them on the node that is ill
   * @param extra hedges and shadows
   */
  record Counts(long all, long victim, long extra, long failures) {
    static final Counts NONE = new Counts(0, 0, 0, 0);

    Counts plus(Counts other) {
      return new Counts(
          all + other.all, victim + other.victim, extra + other.extra, failures + other.failures);
    }

    /** Of a node that was forgotten meanwhile, what it has now. */
    Counts since(Counts before) {
      return all < before.all
          ? this
          : new Counts(
              all - before.all,
              victim - before.victim,
              extra - before.extra,
              failures - before.failures);
    }

    /** NaN where nothing was counted. */
    double victimPercent() {
      return all == 0 ? Double.NaN : 100.0 * victim / all;
    }

    /** Of those that were not extra. */
    double extraPercent() {
      return all == extra ? Double.NaN : 100.0 * extra / (all - extra);
    }
  }

  SelectionWatch(Server server, String victimId) throws IOException {
    this.server = server;
    this.victimId = victimId;
    now().forEach(last::put);
    thread = Thread.ofPlatform().daemon().name("selection-watch").start(this::run);
  }

  private void run() {
    try {
      while (!over) {
        TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        look();
      }
    } catch (IOException e) {
      failure = String.valueOf(e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() throws IOException {
    Counts sum = looks.isEmpty() ? Counts.NONE : looks.getLast();
    for (Map.Entry<String, Counts> node : now().entrySet()) {
      Counts before = last.getOrDefault(node.getKey(), Counts.NONE);
      sum = sum.plus(node.getValue().since(before));
      last.put(node.getKey(), node.getValue());
    }
    looks.add(sum);
    lookSeconds.add((System.nanoTime() - begunNanos) / 1e9);
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

  /** Ends the watch. */
  Counts counts() throws IOException, InterruptedException {
    close();
    return looks.isEmpty() ? Counts.NONE : looks.getLast();
  }

  /** Seconds until the ill node had that share of a second's searches; NaN for never. */
  double secondsUntil(double sharePercent) {
    for (int i = WINDOW; i < looks.size(); i++) {
      if (looks.get(i).since(looks.get(i - WINDOW)).victimPercent() >= sharePercent) {
        return lookSeconds.get(i);
      }
    }
    return Double.NaN;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    over = true;
    thread.join();
    if (!failure.isEmpty()) {
      throw new IOException(failure);
    }
  }
}
