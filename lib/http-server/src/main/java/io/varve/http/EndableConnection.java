package io.varve.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.varve.events.Json;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.UnreadRequest;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection that the server can close while it waits for a request. If a request arrives at the
 * same time, the client can tell whether the server has read it.
 *
 * <pre>
 *   waiting   bytes arrive:       in use: the server reads the request and responds
 *             the server stops:   ended: the server sends an {@link UnreadRequest}
 *   in use    response is sent:   waiting; closed, if the response has Connection: close
 *   ended     the server discards bytes until the client closes, at most for {@link
 *             #LINGER_MILLIS}: a reset could destroy the response before the client has read it
 * </pre>
 *
 * <p>INVARIANT: the server executes no request that arrives on an ended connection. Each wait ends
 * exactly once: by the parser or by {@link #endIfWaiting}, whichever is first.
 */
final class EndableConnection extends HttpConnection {

  static final long LINGER_MILLIS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(EndableConnection.class);
  private static final int DROPPED_BYTES = 8 << 10;
  private static final byte[] UNREAD = unread();

  /** Null while the constructor of the superclass runs. */
  private final @Nullable BooleanSupplier stopping;

  private volatile @Nullable RequestWait waiting;

  private EndableConnection(
      HttpConfiguration http, Connector connector, EndPoint endPoint, BooleanSupplier stopping) {
    super(http, connector, endPoint);
    this.stopping = stopping;
  }

  /** Creates such connections with the settings of another factory. */
  static final class Factory extends HttpConnectionFactory {

    private final BooleanSupplier stopping;

    /**
     * @param stopping whether connections that begin to wait are ended immediately
     */
    Factory(HttpConnectionFactory like, BooleanSupplier stopping) {
      super(like.getHttpConfiguration());
      setInputBufferSize(like.getInputBufferSize());
      this.stopping = stopping;
    }

    @Override
    public org.eclipse.jetty.io.Connection newConnection(Connector connector, EndPoint endPoint) {
      EndableConnection made =
          new EndableConnection(getHttpConfiguration(), connector, endPoint, stopping);
      return configure(made, connector, endPoint);
    }
  }

  private static byte[] unread() {
    byte[] body = Json.write(ErrorBodies.response(UnreadRequest.ERROR, null));
    String head =
        "HTTP/1.1 "
            + UnreadRequest.STATUS
            + " Service Unavailable\r\nConnection: close\r\n"
            + UnreadRequest.HEADER
            + ": true\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    ByteBuffer all = ByteBuffer.allocate(head.length() + body.length);
    return all.put(head.getBytes(US_ASCII)).put(body).array();
  }

  /** The connection waits for a request. Not called while it waits for the rest of a body. */
  @Override
  public void fillInterested(Callback callback) {
    RequestWait begun = new RequestWait(callback);
    waiting = begun;
    super.fillInterested(begun);
    if (isStopping()) {
      begun.end();
    }
  }

  private boolean isStopping() {
    return stopping != null && stopping.getAsBoolean();
  }

  /**
   * If the connector is shut down after the head of an answer was sent, the superclass would close
   * the connection after this answer without telling the client.
   */
  @Override
  public Connector getConnector() {
    Connector connector = super.getConnector();
    return isStopping() ? notShutDown(connector) : connector;
  }

  private static Connector notShutDown(Connector connector) {
    return (Connector)
        Proxy.newProxyInstance(
            Connector.class.getClassLoader(),
            new Class<?>[] {Connector.class},
            (_, method, arguments) -> {
              if (method.getName().equals("isShutdown")) {
                return false;
              }
              try {
                return method.invoke(connector, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Ends the connection if it waits for a request. */
  void endIfWaiting() {
    RequestWait now = waiting;
    if (now != null) {
      now.end();
    }
  }

  private enum Taker {
    NOBODY,
    PARSER,
    END
  }

  /** One wait for bytes. */
  private final class RequestWait implements Callback {

    private final Callback parser;
    private final AtomicReference<Taker> taker = new AtomicReference<>(Taker.NOBODY);

    RequestWait(Callback parser) {
      this.parser = parser;
    }

    @Override
    public void succeeded() {
      if (taker.compareAndSet(Taker.NOBODY, Taker.PARSER)) {
        parser.succeeded();
      } else if (taker.get() == Taker.END) {
        drop(this);
      }
    }

    @Override
    public void failed(Throwable failure) {
      if (taker.compareAndSet(Taker.NOBODY, Taker.PARSER)) {
        parser.failed(failure);
      } else if (taker.get() == Taker.END) {
        getEndPoint().close();
      }
    }

    @Override
    public InvocationType getInvocationType() {
      return parser.getInvocationType();
    }

    void end() {
      if (!taker.compareAndSet(Taker.NOBODY, Taker.END)) {
        return;
      }
      EndPoint line = getEndPoint();
      var _ =
          getConnector().getScheduler().schedule(line::close, LINGER_MILLIS, TimeUnit.MILLISECONDS);
      line.write(
          Callback.from(
              line::shutdownOutput,
              failure -> {
                LOG.debug("{} is gone", this, failure);
                line.close();
              }),
          ByteBuffer.wrap(UNREAD));
    }
  }

  private void drop(Callback next) {
    EndPoint line = getEndPoint();
    ByteBuffer dropped = BufferUtil.allocate(DROPPED_BYTES);
    try {
      int read = line.fill(dropped);
      while (read > 0) {
        BufferUtil.clear(dropped);
        read = line.fill(dropped);
      }
      if (read < 0) {
        line.close();
      } else {
        line.fillInterested(next);
      }
    } catch (IOException e) {
      LOG.debug("{} is gone", this, e);
      line.close();
    }
  }
}
