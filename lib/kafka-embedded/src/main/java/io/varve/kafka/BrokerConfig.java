package io.varve.kafka;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/**
 * Configuration of a broker.
 *
 * @param data folder of its records and its quorum log; kept across restarts
 * @param ports where it listens
 * @param nodeId its number among the brokers of its cluster, from 1
 * @param voters all controllers as {@code id@host:port}, comma-separated, identical on each broker;
 *     empty for a single broker
 * @param flush whether a record is forced to disk before it is acknowledged
 */
public record BrokerConfig(
    Path data, int nodeId, String host, Ports ports, String voters, Flush flush) {

  /**
   * Ports of a broker.
   *
   * @param broker port for clients and other brokers; 0 for a free one, which {@link
   *     EmbeddedBroker#config()} then returns
   * @param controller port of its controller, likewise
   * @param advertised port announced to clients and other brokers, if a proxy is in between; 0 for
   *     the port it listens on
   */
  public record Ports(int broker, int controller, int advertised) {

    public Ports {
      if (!isPort(broker) || !isPort(controller) || !isPort(advertised)) {
        throw new IllegalArgumentException(
            "ports are 0 to 65535, were given %d, %d and %d"
                .formatted(broker, controller, advertised));
      }
    }

    public Ports(int broker, int controller) {
      this(broker, controller, 0);
    }

    private static boolean isPort(int port) {
      return port >= 0 && port <= 65_535;
    }

    /** The announced port. */
    int told() {
      return advertised == 0 ? broker : advertised;
    }
  }

  /** When a record is forced to disk. */
  public enum Flush {
    /**
     * Before it is acknowledged: it survives a power failure even where one broker holds the only
     * copy.
     */
    ALWAYS,
    /**
     * When the operating system decides: it survives the process and, with other brokers, the
     * machine.
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

  /** A single-broker cluster on loopback. */
  public static BrokerConfig single(Path data, Ports ports, Flush flush) {
    return new BrokerConfig(data, 1, "127.0.0.1", ports, "", flush);
  }

  /** The number of brokers in the cluster. */
  int brokers() {
    return voters.isEmpty() ? 1 : voters.split(",").length;
  }

  /** A copy with these ports; a single broker also becomes its own voter. */
  BrokerConfig at(int brokerPort, int quorumPort) {
    return new BrokerConfig(
        data,
        nodeId,
        host,
        new Ports(brokerPort, quorumPort, ports.advertised()),
        voters.isEmpty() ? nodeId + "@" + host + ":" + quorumPort : voters,
        flush);
  }
}
