package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Writes one small document after another, each as soon as the one before was answered, and
 * remembers when each was acked: what a client sees of an outage is the longest time between two
 * acks. What is refused or breaks is counted and sent again.
 */
final class SteadyWriter implements AutoCloseable {

  private static final byte[] DOCUMENT = "{\"n\":-1}".getBytes(UTF_8);
  private static final long AFTER_A_FAILURE_MILLIS = 5;

  private final Server server;
  private final String path;
  private final Acks acks = new Acks();
  private final Thread thread;
  private volatile boolean stopped;
  private int failures;

  SteadyWriter(Server server, String index) {
    this.server = server;
    this.path = "/" + index + "/_doc?timeout=60s";
    this.thread = Thread.ofPlatform().name("steady-writer").start(this::run);
  }

  private void run() {
    while (!stopped) {
      try (HttpConnection connection = new HttpConnection(server.url())) {
        while (!stopped) {
          HttpConnection.Answer answer =
              connection.call("POST", path, "application/json", DOCUMENT);
          note(answer.status() == 201);
        }
      } catch (IOException e) {
        note(false);
      }
    }
  }

  private void note(boolean acked) {
    synchronized (this) {
      if (acked) {
        acks.add(System.nanoTime());
        notifyAll();
        return;
      }
      failures++;
    }
    try {
      TimeUnit.MILLISECONDS.sleep(AFTER_A_FAILURE_MILLIS);
    } catch (InterruptedException e) {
      stopped = true;
    }
  }

  /** How many writes were refused or broke so far. */
  synchronized int failures() {
    return failures;
  }

  /** Waits until so many more writes were acked. */
  synchronized void awaitMore(int writes) throws InterruptedException {
    int until = acks.count() + writes;
    while (acks.count() < until) {
      wait();
    }
  }

  /** The longest time without an ack that touches the span, in milliseconds. */
  synchronized double longestGapMillis(long fromNanos, long toNanos) {
    return acks.longestGapMillis(fromNanos, toNanos);
  }

  @Override
  public void close() throws InterruptedException {
    stopped = true;
    thread.join();
  }
}
