package io.varve.kafka;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds free loopback ports below the ephemeral range (32768 on Linux). The operating system never
 * assigns such a port to an outgoing connection, so it stays free until its server binds it, and
 * while that server restarts.
 *
 * <p>A server binds its TCP port seconds after the port was chosen. Until then the port must not be
 * chosen again, in this process or another. Therefore a chosen port is reserved: this class binds
 * the UDP port of the same number until the JVM ends.
 */
public final class FreePorts {

  private static final int FIRST = 10_000;
  private static final int FIRST_EPHEMERAL = 32_768;
  private static final int ATTEMPTS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(FreePorts.class);

  /** Keeps the sockets reachable: one that is not would be closed. */
  private static final Set<DatagramSocket> RESERVATIONS = ConcurrentHashMap.newKeySet();

  private FreePorts() {}

  /**
   * Returns a port that is not bound at the moment, and that no call in a running JVM has returned.
   *
   * @throws IOException if no free port is found
   */
  public static int next() throws IOException {
    return next(FIRST, FIRST_EPHEMERAL);
  }

  /**
   * @param end the first port that is not chosen
   */
  static int next(int first, int end) throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(first, end);
      if (reserve(port) && isFree(port)) {
        return port;
      }
    }
    throw new IOException("no free port from " + first + " to " + (end - 1));
  }

  private static boolean reserve(int port) throws IOException {
    try {
      RESERVATIONS.add(
          new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
      return true;
    } catch (BindException e) {
      LOG.debug("port {} is reserved", port, e);
      return false;
    }
  }

  /**
   * Returns whether this loopback port can be bound at the moment.
   *
   * @throws IOException if it cannot be tried
   */
  public static boolean isFree(int port) throws IOException {
    try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return true;
    } catch (BindException e) {
      LOG.debug("port {} is in use", port, e);
      return false;
    }
  }
}
