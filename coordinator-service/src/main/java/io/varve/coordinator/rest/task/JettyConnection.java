package io.varve.coordinator.rest.task;

import io.varve.coordinator.rest.task.ClientConnections.State;
import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.ee11.servlet.ServletContextRequest;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.util.BufferUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of a request that Jetty handles, checked by a read that never blocks.
 *
 * <p>The request's body has been read to its end, and Jetty does not read again until the request
 * is done. So the read returns no data, the end of the stream, or the first byte of the client's
 * next request. Such a byte is put into Jetty's own buffer, where Jetty itself puts bytes of the
 * next request that arrive together with the current one.
 */
public final class JettyConnection implements ClientConnections.Connection {

  private static final Logger LOG = LoggerFactory.getLogger(JettyConnection.class);

  private final EndPoint endPoint;
  private final Connection.UpgradeTo buffer;

  private JettyConnection(EndPoint endPoint, Connection.UpgradeTo buffer) {
    this.endPoint = endPoint;
    this.buffer = buffer;
  }

  /** Returns a connection that reports {@link State#LEFT} if the request is not HTTP/1 on Jetty. */
  public static ClientConnections.Connection of(ServletRequest request) {
    ServletContextRequest jetty = ServletContextRequest.getServletContextRequest(request);
    Connection connection = jetty == null ? null : jetty.getConnectionMetaData().getConnection();
    return connection instanceof Connection.UpgradeTo buffer
        ? new JettyConnection(connection.getEndPoint(), buffer)
        : () -> State.LEFT;
  }

  @Override
  public State look() {
    ByteBuffer one = BufferUtil.allocate(1);
    try {
      int read = endPoint.fill(one);
      if (read == 0) {
        return State.OPEN;
      }
      if (read < 0) {
        return State.CLOSED;
      }
      buffer.onUpgradeTo(one);
      return State.LEFT;
    } catch (IOException e) {
      LOG.debug("checking a client's connection failed", e);
      return State.CLOSED;
    }
  }
}
