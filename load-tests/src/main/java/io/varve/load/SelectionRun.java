package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Sends searches for {@code seconds}, to each coordinator in turn, and measures them. */
record SelectionRun(String index, double seconds, Load load, LoadClock clock) {

  /** The times at which searches are sent. */
  sealed interface Load {

    /**
     * Each client sends a search, waits for the response, then pauses for a random time.
     *
     * @param pauseSeconds the mean pause
     */
    record Closed(int clients, double pauseSeconds) implements Load {}

    /**
     * Searches arrive as a Poisson process, independently of earlier responses. Latency is measured
     * from the time at which a search is due, so it includes any delay in sending the search.
     *
     * @param perSecond the mean rate
     */
    record Open(double perSecond) implements Load {}
  }

  SelectionRun(String index, double seconds, Load load) {
    this(index, seconds, load, LoadClock.SYSTEM);
  }

  /**
   * Results of a run.
   *
   * @param errors number of searches that failed or whose response lacks a shard
   * @param spent number of shard searches that coordinators sent during the run
   * @param backSeconds time until the impaired node again served its share; NaN if not measured
   */
  record Result(
      double searchesPerSecond,
      double p50Millis,
      double p90Millis,
      double p99Millis,
      int errors,
      SelectionSampler.Counts spent,
      double backSeconds) {

    Result with(SelectionSampler.Counts counts, double back) {
      return new Result(searchesPerSecond, p50Millis, p90Millis, p99Millis, errors, counts, back);
    }

    double failuresPerSearch(int shards) {
      return spent.failures() / Math.max(1, (double) (spent.all() - spent.extra()) / shards);
    }
  }

  private record Clients(MeasuredServer server, Latencies latencies, AtomicInteger errors) {}

  Result on(MeasuredServer server, SplittableRandom random)
      throws IOException, InterruptedException {
    Clients clients = new Clients(server, new Latencies(), new AtomicInteger());
    long start = clock.nanos();
    long end = start + (long) (seconds * 1e9);
    switch (load) {
      case Load.Closed closed -> closed(clients, closed, random, end);
      case Load.Open(double perSecond) -> open(clients, perSecond, random, end);
    }
    double took = (clock.nanos() - start) / 1e9;
    Latencies latencies = clients.latencies;
    return new Result(
        latencies.count() / took,
        latencies.quantile(0.5),
        latencies.quantile(0.9),
        latencies.quantile(0.99),
        clients.errors.get(),
        SelectionSampler.Counts.NONE,
        Double.NaN);
  }

  private void closed(Clients clients, Load.Closed closed, SplittableRandom random, long end)
      throws IOException, InterruptedException {
    try (ExecutorService pool = Executors.newFixedThreadPool(closed.clients)) {
      List<Future<?>> running = new ArrayList<>();
      for (int c = 0; c < closed.clients; c++) {
        SplittableRandom own = random.split();
        running.add(
            pool.submit(() -> {
              client(clients, own, closed.pauseSeconds, end);
              return null;
            }));
      }
      awaitAll(running);
    }
  }

  private void client(Clients clients, SplittableRandom random, double pauseSeconds, long end)
      throws IOException, InterruptedException {
    try (TurnOfConnections connections =
        new TurnOfConnections(clients.server.coordinators(), random.nextInt())) {
      while (true) {
        clock.sleepNanos(Arrivals.randomGapNanos(random, pauseSeconds));
        long due = clock.nanos();
        if (due - end >= 0) {
          return;
        }
        search(clients, connections.next(), body(random), due);
      }
    }
  }

  private void open(Clients clients, double perSecond, SplittableRandom random, long end)
      throws IOException, InterruptedException {
    Queue<TurnOfConnections> idle = new ConcurrentLinkedQueue<>();
    List<String> coordinators = clients.server.coordinators();
    try (ExecutorService pool = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<?>> running = new ArrayList<>();
      Arrivals arrivals = new Arrivals(random, 1 / perSecond, clock.nanos());
      for (long due = arrivals.nextNanos(); due - end < 0; due = arrivals.nextNanos()) {
        clock.sleepNanos(due - clock.nanos());
        long dueNanos = due;
        String body = body(random);
        int first = random.nextInt();
        running.add(
            pool.submit(() -> {
              TurnOfConnections free = idle.poll();
              TurnOfConnections connections =
                  free == null ? new TurnOfConnections(coordinators, first) : free;
              search(clients, connections.next(), body, dueNanos);
              idle.add(connections);
              return null;
            }));
      }
      awaitAll(running);
    } finally {
      for (TurnOfConnections connections : idle) {
        connections.close();
      }
    }
  }

  private static void awaitAll(List<Future<?>> running) throws IOException, InterruptedException {
    try {
      for (Future<?> one : running) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw new IOException("a client failed: " + e.getCause(), e);
    }
  }

  private void search(Clients clients, HttpConnection connection, String body, long dueNanos)
      throws IOException {
    HttpConnection.Answer answer =
        connection.call("POST", "/" + index + "/_search", "application/json", body.getBytes(UTF_8));
    clients.latencies.add(clock.nanos() - dueNanos);
    if (answer.status() != 200 || !answer.text().contains("\"failed\":0")) {
      clients.errors.incrementAndGet();
    }
  }

  /** Returns a random body, so that no cache can answer the search. */
  private static String body(SplittableRandom random) {
    int from = random.nextInt(1, 20);
    return "{\"size\":0,\"query\":{\"range\":{\"total_amount\":{\"gte\":"
        + (from + random.nextDouble())
        + "}}},\"aggs\":{\"a\":{\"histogram\":{\"field\":\"trip_distance\",\"interval\":1},\"aggs\":{\"b\":{\"stats\":{\"field\":\"total_amount\"}}}}}}";
  }
}
