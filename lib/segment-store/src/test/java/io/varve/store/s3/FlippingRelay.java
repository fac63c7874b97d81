package io.varve.store.s3;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Relays bytes between a client and a server, and flips one byte in each of the next long requests.
 * The byte is always within the first 128 KB of the content, never in the framing around it, where
 * it would cause a different error.
 */
final class FlippingRelay implements AutoCloseable {

  private static final int WITHIN_THE_CONTENT = 100_000;

  /** The number of long requests still to be corrupted. */
  final AtomicInteger flips = new AtomicInteger();

  private final ServerSocket listening = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
  private final int serverPort;

  FlippingRelay(int serverPort) throws IOException {
    this.serverPort = serverPort;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listening.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listening.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
        Thread.ofVirtual().start(() -> pass(client, server, true));
        Thread.ofVirtual().start(() -> pass(server, client, false));
      }
    } catch (IOException e) {
      // Closed, so there are no more connections.
      assert listening.isClosed();
    }
  }

  private void pass(Socket from, Socket to, boolean spoils) {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      byte[] buffer = new byte[1 << 16];
      long passed = 0;
      int read;
      while ((read = in.read(buffer)) >= 0) {
        boolean crosses = passed <= WITHIN_THE_CONTENT && passed + read > WITHIN_THE_CONTENT;
        if (spoils && crosses && flips.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
          buffer[(int) (WITHIN_THE_CONTENT - passed)] ^= 1;
        }
        out.write(buffer, 0, read);
        passed += read;
      }
    } catch (IOException e) {
      // One side closed its connection; closing both notifies the other side.
      assert from.isClosed();
    }
  }

  @Override
  public void close() throws IOException {
    listening.close();
  }
}
