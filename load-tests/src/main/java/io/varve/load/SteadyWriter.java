package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;

/**
 * Writes small documents, each as soon as the previous one has been acknowledged, and records the
 * time of each ack. The longest gap between two acks is the outage that a client observes. A write
 * that is rejected or fails is counted and retried.
 */
final class SteadyWriter implements AutoCloseable {

  private static final byte[] DOCUMENT = "{\"n\":-1}".getBytes(UTF_8);
  private static final long RETRY_DELAY_NANOS = 5_000_000;

  private final MeasuredServer server;
  private final String path;
  private final LoadClock clock;
  private final Acks acks = new Acks();
  private final Thread thread;
  private volatile boolean stopped;
  private int failures;

  SteadyWriter(MeasuredServer server, String index) {
    this(server, index, LoadClock.SYSTEM);
  }

  SteadyWriter(MeasuredServer server, String index, LoadClock clock) {
    this.server = server;
    this.clock = clock;
    this.path = "/" + index + "/_doc?timeout=60s";
    this.thread = Thread.ofPlatform().name("steady-writer").start(this::run);
  }

  private void run() {
    while (!stopped) {
      try (HttpConnection connection = server.connect()) {
        while (!stopped) {
          HttpConnection.Answer answer =
              connection.call("POST", path, "application/json", DOCUMENT);
          addOutcome(answer.status() == 201);
        }
      } catch (IOException e) {
        addOutcome(false);
      }
    }
  }

  private void addOutcome(boolean acked) {
    synchronized (this) {
      if (acked) {
        acks.add(clock.nanos());
        notifyAll();
        return;
      }
      failures++;
    }
    try {
      clock.sleepNanos(RETRY_DELAY_NANOS);
    } catch (InterruptedException e) {
      stopped = true;
    }
  }

  /** Returns the number of writes so far that were rejected or failed. */
  synchronized int failures() {
    return failures;
  }

  /** Waits until {@code writes} more writes have been acked. */
  synchronized void awaitMore(int writes) throws InterruptedException {
    int until = acks.count() + writes;
    while (acks.count() < until) {
      wait();
    }
  }

  /** Returns the longest gap between two acks that overlaps the span, in milliseconds. */
  synchronized double longestGapMillis(long fromNanos, long toNanos) {
    return acks.longestGapMillis(fromNanos, toNanos);
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    thread.join();
  }
}
