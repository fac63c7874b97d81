package io.varve.standalone;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;

/** Clients that send the headers of a request and one byte of its body. */
public final class HalfSentRequests implements AutoCloseable {

  /** Twice the usual size of a thread pool. */
  public static final int MANY = 400;

  private final List<Socket> sockets = new ArrayList<>();

  public HalfSentRequests(int port, String path) throws IOException {
    byte[] half =
        ("POST "
                + path
                + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500"
                + "\r\n\r\n{")
            .getBytes(US_ASCII);
    for (int n = 0; n < MANY; n++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
      sockets.add(socket);
      socket.getOutputStream().write(half);
    }
  }

  /** Returns the number of requests that the server has neither answered nor closed. */
  public long held() throws IOException {
    long held = 0;
    for (Socket socket : sockets) {
      held += isHeld(socket) ? 1 : 0;
    }
    return held;
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
