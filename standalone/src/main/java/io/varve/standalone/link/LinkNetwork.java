package io.varve.standalone.link;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/**
 * A network between the callers of its links and the processes behind them. All links share its
 * rate; each direction has its own.
 */
public final class LinkNetwork {

  private static final int BACKLOG = 512;

  private final LinkConditions conditions;
  private final LinkClock clock;
  private final DoubleSupplier chance;
  private final LinkDirection toTargets;
  private final LinkDirection toCallers;

  public LinkNetwork(LinkConditions conditions) {
    this(conditions, LinkClock.SYSTEM, () -> ThreadLocalRandom.current().nextDouble());
  }

  /**
   * @param chance uniform draws from [0, 1), called by several threads
   */
  LinkNetwork(LinkConditions conditions, LinkClock clock, DoubleSupplier chance) {
    this.conditions = conditions;
    this.clock = clock;
    this.chance = chance;
    this.toTargets = new LinkDirection(conditions.bitsPerSecond());
    this.toCallers = new LinkDirection(conditions.bitsPerSecond());
  }

  /**
   * Opens a link on the loopback interface.
   *
   * @param port the port that callers connect to; 0 chooses one
   * @param target the port of the process behind the link
   */
  public Link open(int port, int target) throws IOException {
    ServerSocket server = new ServerSocket(port, BACKLOG, InetAddress.getLoopbackAddress());
    return Link.start(this, server, target);
  }

  LinkClock clock() {
    return clock;
  }

  /** The delay of the first packet of a connection. */
  long delayNanos() {
    return conditions.delayMillis() * 1_000_000;
  }

  /** Delays the first bytes of a caller by the round trip of the TCP handshake. */
  LossyStream toTarget(long connectedNanos) {
    return new LossyStream(toTargets, conditions, chance, connectedNanos + 3 * delayNanos());
  }

  LossyStream toCaller(long connectedNanos) {
    return new LossyStream(toCallers, conditions, chance, connectedNanos + 2 * delayNanos());
  }
}
