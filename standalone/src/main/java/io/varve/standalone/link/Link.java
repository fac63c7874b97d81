package io.varve.standalone.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A TCP proxy to another port of this machine, with the {@link LinkConditions} of its {@link
 * LinkNetwork}. While it is cut, it forwards no data in either direction; connections stay open and
 * new ones are accepted, as in a network that drops packets. When it is restored, it delivers the
 * delayed data.
 */
public final class Link implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Link.class);

  /**
   * Counts of what a link has forwarded.
   *
   * @param connections the number of accepted connections
   * @param brokenConnections the number of connections that ended because a segment was lost too
   *     often
   */
  public record Traffic(
      long connections, long brokenConnections, long bytesToTarget, long bytesToCallers) {}

  private final LinkNetwork network;
  private final ServerSocket server;
  private final int target;
  private final Set<LinkedConnection> open = ConcurrentHashMap.newKeySet();
  private final Cut cut = new Cut();
  private final LongAdder connections = new LongAdder();
  private final LongAdder broken = new LongAdder();
  private final LongAdder bytesToTarget = new LongAdder();
  private final LongAdder bytesToCallers = new LongAdder();

  private Link(LinkNetwork network, ServerSocket server, int target) {
    this.network = network;
    this.server = server;
    this.target = target;
  }

  static Link start(LinkNetwork network, ServerSocket server, int target) {
    Link link = new Link(network, server, target);
    Thread.ofVirtual().name("link-" + link.port()).start(link::accept);
    return link;
  }

  public int port() {
    return server.getLocalPort();
  }

  public void cut(boolean now) {
    cut.set(now);
  }

  public Traffic traffic() {
    return new Traffic(connections.sum(), broken.sum(), bytesToTarget.sum(), bytesToCallers.sum());
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket caller = server.accept();
        long connectedNanos = network.clock().nanos();
        connections.increment();
        Thread.ofVirtual()
            .name("link-" + port() + "-connection")
            .start(() -> join(caller, connectedNanos));
      } catch (IOException e) {
        if (!server.isClosed()) {
          LOG.error("the link from port {} to {} accepts no more connections", port(), target, e);
          return;
        }
      }
    }
  }

  private void join(Socket caller, long connectedNanos) {
    try (caller;
        Socket called = connect(caller, connectedNanos)) {
      LinkedConnection connection =
          new LinkedConnection(caller, called, network.clock(), cut, broken::increment);
      open.add(connection);
      try {
        connection.forward(
            new LinkedConnection.Way(network.toTarget(connectedNanos), bytesToTarget::add),
            new LinkedConnection.Way(network.toCaller(connectedNanos), bytesToCallers::add));
      } finally {
        open.remove(connection);
      }
    } catch (IOException e) {
      LOG.debug("nothing answers behind the link from port {} to {}", port(), target, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Socket connect(Socket caller, long connectedNanos)
      throws IOException, InterruptedException {
    network.clock().awaitNanos(connectedNanos + network.delayNanos());
    cut.awaitMended();
    caller.setTcpNoDelay(true);
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), target);
    socket.setTcpNoDelay(true);
    return socket;
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut(false);
    open.forEach(LinkedConnection::abort);
  }
}
