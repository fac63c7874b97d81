package io.varve.kafka;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/**
 * What a broker is told.
 *
 * @param data where it keeps its records and its quorum's log; kept over restarts
 * @param ports where it is found
 * @param nodeId its number among the brokers of its cluster, from 1
 * @param voters all controllers as {@code id@host:port}, comma-separated, the same on each broker;
 *     empty for this one alone
 * @param flush whether a record is forced to disk before it is acked
 */
public record BrokerConfig(
    Path data, int nodeId, String host, Ports ports, String voters, Flush flush) {

  /**
   * Where a broker is found.
   *
   * @param broker where it listens for clients and other brokers; 0 for a free one, which {@link
   *     EmbeddedBroker#config()} then tells
   * @param controller likewise for its controller
   * @param advertised what clients and other brokers are told, where something stands between; 0
   *     for where it listens
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

    /** What others are told. */
    int told() {
      return advertised == 0 ? broker : advertised;
    }
  }

  /** When a record is on disk. */
  public enum Flush {
    /** Before it is acked: it outlives a power cut even where one broker is the only copy. */
    ALWAYS,
    /**
     * When the operating system likes: it outlives the process, and with other brokers the machine.
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

  /** A cluster of this broker alone, on loopback. */
  public static BrokerConfig single(Path data, Ports ports, Flush flush) {
    return new BrokerConfig(data, 1, "127.0.0.1", ports, "", flush);
  }

  /** How many brokers the cluster has. */
  int brokers() {
    return voters.isEmpty() ? 1 : voters.split(",").length;
  }

  /** The same with these ports, and with its own controller as the voter if it is alone. */
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
