package io.varve.http;

import java.nio.channels.SelectableChannel;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.util.component.AbstractLifeCycle;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks all connections of a server once a second and ends those of slow clients, see {@link
 * ClientPace}. Connections above the limit are closed when they are opened; from nine tenths of the
 * limit on, connections idle for longer than the grace are closed as well.
 *
 * <p>Closed and refused connections are counted, and logged at most every ten seconds. When the
 * server stops, connections end as {@link EndableConnection} describes.
 */
final class ConnectionWatch extends AbstractLifeCycle
    implements Connection.Listener, SelectorManager.AcceptListener {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionWatch.class);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LOG_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final ClientPace pace;
  private final int maxConnections;
  private final ConnectionCounts counts;
  private final LongSupplier clockNanos;
  private final Scheduler scheduler;
  private final Executor executor;
  private final Map<Connection, WatchedConnection> watched = new ConcurrentHashMap<>();

  /** TLS connections on which there is no HTTP connection yet. */
  private final Set<Connection> handshakes = ConcurrentHashMap.newKeySet();

  /** The number of connections that are accepted and not opened yet. */
  private final AtomicInteger accepting = new AtomicInteger();

  private final ReentrantLock ending = new ReentrantLock();
  private final Condition closed = ending.newCondition();
  private volatile boolean endsWaiting;
  private volatile Scheduler.@Nullable Task next;
  private long lookedAtNanos;
  private long loggedTotal;
  private long loggedAtNanos;

  /**
   * @param executor ends connections
   */
  ConnectionWatch(
      ClientPace pace,
      int maxConnections,
      ConnectionCounts counts,
      LongSupplier clockNanos,
      Scheduler scheduler,
      Executor executor) {
    this.pace = pace;
    this.maxConnections = maxConnections;
    this.counts = counts;
    this.clockNanos = clockNanos;
    this.scheduler = scheduler;
    this.executor = executor;
    this.lookedAtNanos = clockNanos.getAsLong();
    this.loggedAtNanos = clockNanos.getAsLong() - LOG_EVERY_NANOS;
  }

  @Override
  protected void doStart() {
    next = scheduler.schedule(this::lookAndGoOn, 1, TimeUnit.SECONDS);
  }

  @Override
  protected void doStop() {
    Scheduler.Task task = next;
    if (task != null) {
      task.cancel();
    }
  }

  private void lookAndGoOn() {
    try {
      look();
    } catch (RuntimeException e) {
      LOG.error("connections could not be checked", e);
    }
    if (isStarted() || isStarting()) {
      next = scheduler.schedule(this::lookAndGoOn, 1, TimeUnit.SECONDS);
    }
  }

  @Override
  public void onAccepting(SelectableChannel channel) {
    accepting.incrementAndGet();
  }

  @Override
  public void onAccepted(SelectableChannel channel) {
    accepting.decrementAndGet();
    signalIfEnding();
  }

  @Override
  public void onAcceptFailed(SelectableChannel channel, Throwable cause) {
    accepting.decrementAndGet();
    signalIfEnding();
  }

  @Override
  public void onOpened(Connection connection) {
    if (!(connection instanceof ConnectionMetaData)) {
      handshakes.add(connection);
      return;
    }
    if (watched.size() >= maxConnections) {
      counts.refuse();
      connection.getEndPoint().close();
    } else {
      watched.put(connection, new WatchedConnection(clockNanos.getAsLong()));
    }
    if (connection.getEndPoint() instanceof SslConnection.SslEndPoint encrypted) {
      handshakes.remove(encrypted.getSslConnection());
    }
  }

  @Override
  public void onClosed(Connection connection) {
    watched.remove(connection);
    handshakes.remove(connection);
    signalIfEnding();
  }

  private void signalIfEnding() {
    if (endsWaiting) {
      ending.lock();
      try {
        closed.signalAll();
      } finally {
        ending.unlock();
      }
    }
  }

  /**
   * From now on, ends all connections that wait for a request, and handshakes that take long. A
   * client may send a request before the server has finished the handshake.
   */
  void endWaiting() {
    endsWaiting = true;
    var _ =
        scheduler.schedule(
            () -> handshakes.forEach(connection -> connection.getEndPoint().close()),
            EndableConnection.LINGER_MILLIS,
            TimeUnit.MILLISECONDS);
    for (Connection connection : watched.keySet()) {
      if (connection instanceof EndableConnection endable) {
        endable.endIfWaiting();
      }
    }
  }

  boolean endsWaiting() {
    return endsWaiting;
  }

  /** Waits until no connection is open; false on timeout. Only after {@link #endWaiting}. */
  boolean awaitNoneOpen(long timeoutNanos) throws InterruptedException {
    long left = timeoutNanos;
    ending.lock();
    try {
      while (accepting.get() > 0 || !handshakes.isEmpty() || !watched.isEmpty()) {
        if (left <= 0) {
          return false;
        }
        left = closed.awaitNanos(left);
      }
      return true;
    } finally {
      ending.unlock();
    }
  }

  @Nullable WatchedConnection of(Connection connection) {
    return watched.get(connection);
  }

  int open() {
    return watched.size();
  }

  ConnectionCounts counts() {
    return counts;
  }

  long nowNanos() {
    return clockNanos.getAsLong();
  }

  private void look() {
    long now = clockNanos.getAsLong();
    boolean paused = now - lookedAtNanos > PAUSE_NANOS;
    lookedAtNanos = now;
    if (paused) {
      return; // After a pause of the whole process, bytes that arrived in the meantime are read
      // first.
    }
    boolean scarce = watched.size() >= maxConnections - maxConnections / 10;
    watched.forEach((connection, state) -> {
      Exchange exchange = state.exchange();
      Verdict verdict = state.judge(now, connection.getBytesIn(), pace, scarce);
      if (verdict != Verdict.KEEP) {
        counts.end(verdict);
        executor.execute(() -> end(connection, exchange, verdict));
      }
    });
    log(now);
  }

  private static void end(Connection connection, @Nullable Exchange exchange, Verdict verdict) {
    SlowClientException reason = new SlowClientException(verdict.reason());
    try {
      if (exchange != null && verdict.endsExchange()) {
        exchange.fail(reason);
      } else {
        connection.getEndPoint().close(reason);
      }
    } catch (RuntimeException e) {
      LOG.debug("{} had already ended", connection, e);
    }
  }

  private void log(long now) {
    long total = counts.total();
    if (total > loggedTotal && now - loggedAtNanos >= LOG_EVERY_NANOS) {
      LOG.warn(
          "{} connections of slow or too many clients ended since the last such message; {} of"
              + " {} open; total since the start: {}",
          total - loggedTotal,
          watched.size(),
          maxConnections,
          counts);
      loggedTotal = total;
      loggedAtNanos = now;
    }
  }
}
