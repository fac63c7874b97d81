package io.varve.load;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import tools.jackson.core.JacksonException;

/**
 * One start of a server: the time until a document can be found, then the cost while it is idle.
 *
 * @param seconds from the start of its process to the first document found
 * @param cpuSeconds of its processes up to that moment
 * @param idleCores processors used while no request arrives, as a share of one
 * @param megabytes resident memory after the idle time
 * @param threads after the idle time
 */
record StartRun(
    double seconds, double cpuSeconds, double idleCores, double megabytes, int threads) {

  private static final long GIVE_UP_NANOS = TimeUnit.MINUTES.toNanos(5);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final String DOCUMENT = "/start/_doc/1?refresh=true";

  /** A server that is starting. */
  interface Starting {

    String url();

    /** Its processes; waits until they are known. */
    Processes processes() throws IOException, InterruptedException;

    /** Whether its start may still succeed. */
    boolean isAlive();
  }

  /**
   * Measures a server.
   *
   * @param began the time of {@code clock} before its process was started
   * @param settle time after the first document before the idle time begins
   */
  static StartRun of(Starting server, LoadClock clock, long began, Duration settle, Duration idle)
      throws IOException, InterruptedException {
    while (!findsDocument(server.url())) {
      if (!server.isAlive() || clock.nanos() - began > GIVE_UP_NANOS) {
        throw new IOException("the server at " + server.url() + " did not start");
      }
      // There is no event for a port that starts to listen, so poll.
      clock.sleepNanos(POLL_NANOS);
    }
    double seconds = (clock.nanos() - began) / 1e9;
    Processes processes = server.processes();
    double cpuSeconds = processes.cpuSeconds();
    clock.sleepNanos(settle.toNanos());
    double before = processes.cpuSeconds();
    long idleBegan = clock.nanos();
    clock.sleepNanos(idle.toNanos());
    double idleSeconds = (clock.nanos() - idleBegan) / 1e9;
    return new StartRun(
        seconds,
        cpuSeconds,
        (processes.cpuSeconds() - before) / idleSeconds,
        processes.residentMegabytes(),
        processes.threads());
  }

  private static boolean findsDocument(String url) {
    try (HttpConnection connection = new HttpConnection(url)) {
      byte[] document = "{\"n\": 1}".getBytes(UTF_8);
      int written = connection.call("PUT", DOCUMENT, "application/json", document).status();
      if (written >= 300) {
        return false;
      }
      HttpConnection.Answer found =
          connection.call("POST", "/start/_search", "application/json", "{}".getBytes(UTF_8));
      return found.status() == 200
          && MeasuredServer.JSON
                  .readTree(found.body())
                  .path("hits")
                  .path("total")
                  .path("value")
                  .asInt()
              == 1;
    } catch (IOException | JacksonException e) {
      // Expected until the server listens.
      return false;
    }
  }
}
