package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sends bulks at a fixed rate over one connection until it is closed. */
final class PacedLoad implements AutoCloseable {

  private final MeasuredServer server;
  private final String index;
  private final List<byte[]> bodies;
  private final long delayNanos;
  private final long periodNanos;
  private final Thread thread;
  private volatile boolean stopped;
  private volatile String failure = "";
  private volatile int sent;

  /**
   * Starts the load.
   *
   * @param bodies the bulks, sent repeatedly in order
   * @param bulksPerSecond the maximum rate
   */
  PacedLoad(MeasuredServer server, String index, List<byte[]> bodies, double bulksPerSecond) {
    this(server, index, bodies, bulksPerSecond, 0);
  }

  /**
   * @param delayNanos the time before the first bulk
   */
  PacedLoad(
      MeasuredServer server,
      String index,
      List<byte[]> bodies,
      double bulksPerSecond,
      long delayNanos) {
    this.delayNanos = delayNanos;
    this.server = server;
    this.index = index;
    this.bodies = bodies;
    this.periodNanos = (long) (1e9 / bulksPerSecond);
    this.thread = Thread.ofPlatform().name("paced-load").start(this::run);
  }

  private void run() {
    try (HttpConnection connection = server.connect()) {
      long due = System.nanoTime() + delayNanos;
      for (int i = 0; !stopped; i++) {
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
        due += periodNanos;
        HttpConnection.Answer answer =
            connection.call(
                "POST",
                "/" + index + "/_bulk",
                "application/x-ndjson",
                bodies.get(i % bodies.size()));
        String head = new String(answer.body(), 0, Math.min(200, answer.body().length), UTF_8);
        if (answer.status() != 200 || !head.contains("\"errors\":false")) {
          throw new IOException("a bulk answered " + answer.status() + ": " + head);
        }
        sent = i + 1;
      }
    } catch (IOException e) {
      failure = e.getMessage() == null ? e.toString() : e.getMessage();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      failure = "interrupted";
    }
  }

  int sent() {
    return sent;
  }

  /** Stops, and fails if a bulk was rejected. */
  @Override
  public void close() throws IOException, InterruptedException {
    stopped = true;
    thread.join();
    if (!failure.isEmpty()) {
      throw new IOException(failure);
    }
  }
}
