package io.varve.http;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * Stops the HTTP server of a process. The server responds to each request that it has read before
 * it closes the connection. On a connection without such a request, it responds that it has read no
 * request. Both ports stop in the same way.
 *
 * <pre>
 *   stopping   the server refuses new connections, see {@link ListeningPort}, and closes idle
 *              ones, see {@link EndableConnection}; it closes each other connection after the next
 *              response
 *   ending     after {@code http.drain-timeout}, if connections are open: the listeners end the
 *              waits of requests, and {@link Limits#ending} is the time to send the responses
 *   stopped    the server closes the other connections
 * </pre>
 *
 * <p>This phase precedes the stop of the server, which precedes the destruction of the beans,
 * because requests need the beans.
 */
final class GracefulStop implements SmartLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(GracefulStop.class);

  /**
   * @param drain how long requests in progress are awaited before their waits are ended
   * @param ending the time to write answers after all waits have ended
   */
  record Limits(Duration drain, Duration ending) {

    /** With the usual time to write answers. */
    static Limits of(Duration drain) {
      return new Limits(drain, Duration.ofSeconds(2));
    }
  }

  private record Served(Server server, ConnectionWatch watch) {}

  private final Limits limits;
  private final ObjectProvider<StopListener> listeners;
  private final LongSupplier nanoClock;
  private final List<Served> served = new CopyOnWriteArrayList<>();
  private volatile boolean running;

  GracefulStop(Limits limits, ObjectProvider<StopListener> listeners, LongSupplier nanoClock) {
    this.limits = limits;
    this.listeners = listeners;
    this.nanoClock = nanoClock;
  }

  void serves(Server server, ConnectionWatch watch) {
    served.add(new Served(server, watch));
  }

  @Override
  public void start() {
    running = true;
  }

  @Override
  public void stop() {
    running = false;
    for (Served each : served) {
      refuseConnections(each.server());
      each.watch().endWaiting();
    }
    listeners().forEach(StopListener::stopping);
    try {
      if (!awaitEnd(limits.drain())) {
        LOG.warn(
            "{} connections have requests in progress after {} ms; the operations that they wait for"
                + " are ended",
            open(),
            limits.drain().toMillis());
        listeners().forEach(StopListener::ending);
        if (!awaitEnd(limits.ending())) {
          LOG.warn("{} connections are closed before their requests are answered", open());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void refuseConnections(Server server) {
    for (Connector connector : server.getConnectors()) {
      if (connector instanceof ServerConnector listening) {
        try {
          ListeningPort.close(listening).get(limits.drain().toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
          LOG.warn(
              "{} could not accept all connections; those in its backlog may be reset",
              connector,
              e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
      // It completes when the connections have ended, for which the watch waits.
      var _ = connector.shutdown();
    }
  }

  private Stream<StopListener> listeners() {
    return listeners.orderedStream();
  }

  private boolean awaitEnd(Duration timeout) throws InterruptedException {
    long deadlineNanos = nanoClock.getAsLong() + timeout.toNanos();
    boolean all = true;
    for (Served each : served) {
      all &= each.watch().awaitNoneOpen(deadlineNanos - nanoClock.getAsLong());
    }
    return all;
  }

  private int open() {
    return served.stream().mapToInt(each -> each.watch().open()).sum();
  }

  @Override
  public boolean isRunning() {
    return running;
  }

  @Override
  public int getPhase() {
    return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE;
  }
}
