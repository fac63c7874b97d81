package io.varve.coordinator.rest.task;

import io.varve.process.SteadyTimer;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Cancels the searches of clients that have closed their connection.
 *
 * <p>The server reads from a connection only between two requests, so it does not notice that the
 * connection is closed during a request. Therefore the connections of requests that have run for
 * {@value #AFTER_MILLIS} ms are checked once a second. Shorter requests cost only a map entry.
 *
 * <pre>
 *   watched -> watched    the connection is open
 *   watched -> cancelled  it is closed: the task is cancelled, with its children on other nodes
 *   watched -> left       the client has sent its next request, or the connection can't be checked
 *   any     -> ended      the request is done
 * </pre>
 *
 * INVARIANT: no connection is checked after the watch of its request has ended.
 */
public final class ClientConnections implements AutoCloseable {

  static final long AFTER_MILLIS = 1_000;
  private static final String READS = "indices:data/read/";

  /** The result of checking a connection. */
  public enum State {
    OPEN,
    CLOSED,

    /** The connection must not be checked again during this request. */
    LEFT
  }

  /** The connection of one request. */
  public interface Connection {
    State look();
  }

  private final Function<HttpServletRequest, Connection> connections;
  private final BiConsumer<Task, String> cancel;
  private final LongSupplier nanoTime;
  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private final @Nullable SteadyTimer timer;

  /**
   * Creates an instance that checks only on demand.
   *
   * @param connections finds the connection of a request; called by the checking thread
   * @param cancel cancels a task with a reason, without blocking
   */
  public ClientConnections(
      Function<HttpServletRequest, Connection> connections,
      BiConsumer<Task, String> cancel,
      LongSupplier nanoTime) {
    this(connections, cancel, nanoTime, null);
  }

  private ClientConnections(
      Function<HttpServletRequest, Connection> connections,
      BiConsumer<Task, String> cancel,
      LongSupplier nanoTime,
      @Nullable SteadyTimer timer) {
    this.connections = connections;
    this.cancel = cancel;
    this.nanoTime = nanoTime;
    this.timer = timer;
  }

  /** Creates an instance that checks once a second until it is closed. */
  public static ClientConnections looking(
      Function<HttpServletRequest, Connection> connections, BiConsumer<Task, String> cancel) {
    SteadyTimer timer = SteadyTimer.virtual("client-connections");
    ClientConnections clients = new ClientConnections(connections, cancel, System::nanoTime, timer);
    var _ =
        timer.scheduleWithFixedDelay(
            clients::look, AFTER_MILLIS, AFTER_MILLIS, TimeUnit.MILLISECONDS);
    return clients;
  }

  /** Watches one request, from the start of its task to its end. */
  final class Watch implements AutoCloseable {
    private final HttpServletRequest request;
    private final Task task;
    private final long startedNanos = nanoTime.getAsLong();
    private @Nullable Connection connection;
    private boolean ended;

    private Watch(HttpServletRequest request, Task task) {
      this.request = request;
      this.task = task;
    }

    private void look() {
      boolean closed = false;
      synchronized (this) {
        if (ended) {
          return;
        }
        Connection known = connection;
        if (known == null) {
          known = connections.apply(request);
          connection = known;
        }
        switch (known.look()) {
          case OPEN -> {}
          case LEFT -> close();
          case CLOSED -> {
            closed = true;
            close();
          }
        }
      }
      if (closed) {
        cancel.accept(task, "the client has closed its connection");
      }
    }

    @Override
    public synchronized void close() {
      ended = true;
      watches.remove(this);
    }
  }

  /** Watches the request if its task only reads on behalf of its client; returns null otherwise. */
  @Nullable Watch watch(HttpServletRequest request, @Nullable Task task) {
    if (task == null || !task.kind().cancellable() || !task.kind().action().startsWith(READS)) {
      return null;
    }
    Watch watch = new Watch(request, task);
    watches.add(watch);
    return watch;
  }

  void look() {
    long now = nanoTime.getAsLong();
    for (Watch watch : watches) {
      if (now - watch.startedNanos >= TimeUnit.MILLISECONDS.toNanos(AFTER_MILLIS)) {
        watch.look();
      }
    }
  }

  @Override
  public void close() {
    if (timer != null) {
      timer.shutdownNow();
    }
  }
}
