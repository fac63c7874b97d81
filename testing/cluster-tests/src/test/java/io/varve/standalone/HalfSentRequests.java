package io.varve.standalone;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** Clients that send the headers of a request and one byte of its body. */
public final class HalfSentRequests implements AutoCloseable {

  /** Twice the usual size of a thread pool. */
  private static final int MANY = 400;

  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final int port;
  private final byte[] half;
  private final List<Socket> sockets = new ArrayList<>();

  public HalfSentRequests(int port, String path) throws IOException {
    this.port = port;
    this.half =
        ("POST "
                + path
                + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500"
                + "\r\n\r\n{")
            .getBytes(US_ASCII);
    sendMissing();
  }

  private void sendMissing() throws IOException {
    while (sockets.size() < MANY) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      sockets.add(socket);
      socket.getOutputStream().write(half);
    }
  }

  /**
   * Waits until the server holds all requests at the same time: it has neither answered nor closed
   * them. It ends those whose body is late; they are sent again, because a slow machine may send
   * the others only after that time.
   */
  public void awaitHeld() {
    Awaitility.await().atMost(PATIENCE).until(this::areHeld);
  }

  private boolean areHeld() throws IOException {
    for (Socket socket : List.copyOf(sockets)) {
      if (!isHeld(socket)) {
        sockets.remove(socket);
        socket.close();
      }
    }
    boolean areHeld = sockets.size() == MANY;
    sendMissing();
    return areHeld;
  }

  private static boolean isHeld(Socket socket) throws IOException {
    socket.setSoTimeout(1);
    try {
      socket.getInputStream().read();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (SocketException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
