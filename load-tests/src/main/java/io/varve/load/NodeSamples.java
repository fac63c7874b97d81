package io.varve.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Samples a load once an interval: the documents that were acked, and the CPU and the memory of
 * each process that holds copies. One sample is one interval, or one interval of one process.
 */
final class NodeSamples implements AutoCloseable {

  /** Collects all samples of a load; several loads may share it. */
  record Collected(Samples documentsPerSecond, Samples cpuPerMille, Samples residentMegabytes) {
    Collected() {
      this(new Samples(), new Samples(), new Samples());
    }
  }

  private static final long INTERVAL_NANOS = 1_000_000_000;

  private final Processes nodes;
  private final LongSupplier acked;
  private final Collected collected;
  private final LoadClock clock;
  private final Thread thread;
  private final Map<String, Double> cpuBefore = new TreeMap<>();
  private long ackedBefore;
  private long beforeNanos;
  private volatile boolean closed;

  /**
   * @param nodes the processes whose CPU and memory are sampled
   * @param acked the number of documents that were acked so far
   */
  NodeSamples(Processes nodes, LongSupplier acked, Collected collected, LoadClock clock)
      throws IOException {
    this.nodes = nodes;
    this.acked = acked;
    this.collected = collected;
    this.clock = clock;
    this.cpuBefore.putAll(nodes.cpuSecondsByProcess());
    this.beforeNanos = clock.nanos();
    this.thread = Thread.ofPlatform().daemon().name("node-samples").unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  private void run() {
    try {
      while (!closed) {
        clock.sleepNanos(INTERVAL_NANOS);
        sample();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      throw new UncheckedIOException("a node can no longer be sampled", e);
    }
  }

  private synchronized void sample() throws IOException {
    long nowNanos = clock.nanos();
    ended(
        (nowNanos - beforeNanos) / 1e9,
        acked.getAsLong(),
        nodes.cpuSecondsByProcess(),
        nodes.residentMegabytesByProcess());
    beforeNanos = nowNanos;
  }

  /** An interval has ended, with these totals since the start of the load and of the processes. */
  void ended(
      double seconds, long ackedNow, Map<String, Double> cpuNow, Map<String, Double> residentNow) {
    collected.documentsPerSecond().add(Math.round((ackedNow - ackedBefore) / seconds));
    ackedBefore = ackedNow;
    cpuNow.forEach((name, cpuSeconds) -> {
      double used = cpuSeconds - cpuBefore.getOrDefault(name, 0.0);
      collected.cpuPerMille().add(Math.round(used / seconds * 1_000));
    });
    cpuBefore.clear();
    cpuBefore.putAll(cpuNow);
    residentNow.values().forEach(value -> collected.residentMegabytes().add(Math.round(value)));
  }

  /** Ends with a last sample if the load was shorter than an interval. */
  @Override
  public void close() throws IOException {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (collected.documentsPerSecond().count() == 0) {
      sample();
    }
  }
}
