package io.varve.http;

import java.io.IOException;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.server.ServerConnector;

/**
 * Closes the port of a connector, and loses almost no connection.
 *
 * <p>The operating system establishes connections that the server has not accepted yet, and clients
 * send requests on them. It resets these connections when the port is closed, and a client cannot
 * tell whether its request was executed. The selector thread that accepts connections therefore
 * accepts all established ones, and closes the port immediately after them. A thread that blocks
 * until there is a connection can't do this: it may be scheduled, and notice that the port closes,
 * before or after a connection arrives.
 *
 * <p>What remains is a connection that is established within the microseconds between the last
 * accept and the close. It is reset, and its request is never read.
 */
final class ListeningPort {

  private ListeningPort() {}

  /** Completes when the port is closed. */
  static CompletableFuture<Void> close(ServerConnector connector) {
    Collection<ManagedSelector> selectors =
        connector.getSelectorManager().getBeans(ManagedSelector.class);
    if (!(connector.getTransport() instanceof ServerSocketChannel port) || selectors.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return CompletableFuture.allOf(
        selectors.stream()
            .map(selector -> closeOn(selector, connector, port))
            .toArray(CompletableFuture[]::new));
  }

  private static CompletableFuture<Void> closeOn(
      ManagedSelector selector, ServerConnector connector, ServerSocketChannel port) {
    CompletableFuture<Void> closed = new CompletableFuture<>();
    selector.submit(own -> {
      try {
        closeOn(own, connector, port);
        closed.complete(null);
      } catch (IOException | RuntimeException e) {
        closed.completeExceptionally(e);
      }
    });
    return closed;
  }

  /** Does nothing on a selector that does not accept the connections of the port. */
  static void closeOn(Selector own, ServerConnector connector, ServerSocketChannel port)
      throws IOException {
    if (port.keyFor(own) == null) {
      return;
    }
    try (port) {
      SocketChannel established = port.accept();
      while (established != null) {
        established.configureBlocking(false);
        established.socket().setTcpNoDelay(connector.getAcceptedTcpNoDelay());
        connector.getSelectorManager().accept(established);
        established = port.accept();
      }
    }
  }
}
