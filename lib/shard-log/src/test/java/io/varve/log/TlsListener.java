package io.varve.log;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;

/** A TLS listener in front of a server without TLS. */
public final class TlsListener implements AutoCloseable {

  private final ServerSocket server;
  private final int target;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  /**
   * @param port on which it listens; 0 for a free one
   * @param target the port of the server
   */
  public TlsListener(SSLContext context, int port, int target) throws IOException {
    this.server =
        context
            .getServerSocketFactory()
            .createServerSocket(port, 50, InetAddress.getLoopbackAddress());
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  /** The port on which it listens. */
  public int port() {
    return server.getLocalPort();
  }

  private void accept() {
    try {
      while (!server.isClosed()) {
        Socket client = server.accept();
        Socket plain = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(client);
        sockets.add(plain);
        Thread.ofVirtual().start(() -> copy(client, plain));
        Thread.ofVirtual().start(() -> copy(plain, client));
      }
    } catch (IOException e) {
      close();
    }
  }

  /** A failed handshake also ends both connections. */
  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // Either end has closed its connection, so both are closed now.
      return;
    }
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
