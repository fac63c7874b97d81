package io.varve.kafka;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/**
 * Configuration of a broker.
 *
 * @param data the folder of its records and its quorum log; kept across restarts
 * @param ports the ports on which it listens
 * @param nodeId its number among the brokers of its cluster, starting at 1
 * @param voters all controllers as comma-separated {@code id@host:port}, identical on all brokers;
 *     empty for a single broker
 * @param flush when a record is forced to disk
 * @param security of its listeners
 */
public record BrokerConfig(
    Path data,
    int nodeId,
    String host,
    Ports ports,
    String voters,
    Flush flush,
    BrokerSecurity security) {

  /**
   * Ports of a broker.
   *
   * @param broker the port for clients and other brokers; 0 chooses a free port, which {@link
   *     EmbeddedBroker#config()} then returns
   * @param controller the port of its controller; 0 chooses a free port
   * @param advertised the port announced to clients and other brokers if they connect through a
   *     proxy; 0 for the port on which the broker listens
   * @param remote the listener for other clusters
   */
  public record Ports(int broker, int controller, int advertised, Remote remote) {

    public Ports {
      if (!isPort(broker) || !isPort(controller) || !isPort(advertised)) {
        throw new IllegalArgumentException(
            "ports are 0 to 65535, were given %d, %d and %d"
                .formatted(broker, controller, advertised));
      }
    }

    public Ports(int broker, int controller, int advertised) {
      this(broker, controller, advertised, Remote.NONE);
    }

    public Ports(int broker, int controller) {
      this(broker, controller, 0);
    }

    private static boolean isPort(int port) {
      return port >= 0 && port <= 65_535;
    }

    /** The port announced to clients and other brokers. */
    int advertisedPort() {
      return advertised == 0 ? broker : advertised;
    }
  }

  /**
   * A second listener, for the clients of other clusters. A client uses the addresses that its
   * listener announces, so these clients can be sent through a proxy that the cluster's own
   * processes do not use.
   *
   * @param port the port on which the broker listens; 0: there is no such listener
   * @param advertised the port announced to its clients
   */
  public record Remote(int port, int advertised) {

    public static final Remote NONE = new Remote(0, 0);

    public Remote {
      if (!Ports.isPort(port) || !Ports.isPort(advertised) || (port == 0) != (advertised == 0)) {
        throw new IllegalArgumentException(
            "the ports for other clusters are 1 to 65535, or both 0, were given %d and %d"
                .formatted(port, advertised));
      }
    }

    boolean exists() {
      return port != 0;
    }
  }

  /** When a record is forced to disk. */
  public enum Flush {
    /**
     * Before it is acknowledged, so that it survives a power failure even if one broker has the
     * only copy.
     */
    ALWAYS,
    /**
     * When the operating system decides. The record survives a crash of the process, and, if other
     * brokers replicate it, a crash of the machine.
     */
    OS;

    public static Flush of(String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "always" -> ALWAYS;
        case "os" -> OS;
        default ->
            throw new IllegalArgumentException(
                "log.flush must be [always] or [os], was [" + text + "]");
      };
    }
  }

  public BrokerConfig {
    Objects.requireNonNull(data, "data");
    if (nodeId < 1) {
      throw new IllegalArgumentException("a broker's node id is >= 1, was " + nodeId);
    }
    if (ports.controller() == 0 && !voters.isEmpty()) {
      throw new IllegalArgumentException(
          "the controller's port must be the one among the voters [" + voters + "], was 0");
    }
  }

  /** Without security. */
  public BrokerConfig(Path data, int nodeId, String host, Ports ports, String voters, Flush flush) {
    this(data, nodeId, host, ports, voters, flush, BrokerSecurity.NONE);
  }

  /** Returns a copy with this security. */
  public BrokerConfig with(BrokerSecurity changed) {
    return new BrokerConfig(data, nodeId, host, ports, voters, flush, changed);
  }

  /** Configures a single-broker cluster on loopback. */
  public static BrokerConfig single(Path data, Ports ports, Flush flush) {
    return new BrokerConfig(data, 1, "127.0.0.1", ports, "", flush);
  }

  /** The addresses of all controllers, {@code host:port} separated by commas. */
  String controllers() {
    return voters.replaceAll("\\d+@", "");
  }

  /** Returns the number of brokers in the cluster. */
  int brokers() {
    return voters.isEmpty() ? 1 : voters.split(",").length;
  }

  /** Returns a copy with these ports; a single broker also becomes its own voter. */
  BrokerConfig at(int brokerPort, int quorumPort) {
    return new BrokerConfig(
        data,
        nodeId,
        host,
        new Ports(brokerPort, quorumPort, ports.advertised(), ports.remote()),
        voters.isEmpty() ? nodeId + "@" + host + ":" + quorumPort : voters,
        flush,
        security);
  }
}
