package io.varve.kafka;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds free loopback ports below the ephemeral range (32768 on Linux). The operating system never
 * assigns such a port to an outgoing connection, so it stays free until its server binds it, and
 * while that server restarts.
 */
public final class FreePorts {

  private static final int FIRST = 10_000;
  private static final int FIRST_EPHEMERAL = 32_768;
  private static final int ATTEMPTS = 1_000;

  private static final Logger LOG = LoggerFactory.getLogger(FreePorts.class);

  private FreePorts() {}

  /**
   * Returns a port that is not bound at the moment.
   *
   * @throws IOException if no free port is found
   */
  public static int next() throws IOException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      int port = ThreadLocalRandom.current().nextInt(FIRST, FIRST_EPHEMERAL);
      if (isFree(port)) {
        return port;
      }
    }
    throw new IOException("no free port between " + FIRST + " and " + FIRST_EPHEMERAL);
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
