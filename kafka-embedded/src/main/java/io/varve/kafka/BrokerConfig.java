package io.varve.kafka;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Objects;

/**
 * What a broker is told.
 *
 * @param data where it keeps its records and its quorum's log; kept over restarts
 * @param nodeId its number among the brokers of its cluster, from 1
 * @param voters all controllers as {@code id@host:port}, comma-separated; the same on each broker
 *     and for ever
 * @param flush whether a record is forced to disk before it is acked
 */
public record BrokerConfig(
    Path data, int nodeId, String host, int port, int controllerPort, String voters, Flush flush) {

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
    if (port < 1 || controllerPort < 1) {
      throw new IllegalArgumentException(
          "a broker needs ports, was given " + port + " and " + controllerPort);
    }
  }

  /** A cluster of this broker alone, on loopback. */
  public static BrokerConfig single(Path data, int port, int controllerPort, Flush flush) {
    return new BrokerConfig(
        data, 1, "127.0.0.1", port, controllerPort, "1@127.0.0.1:" + controllerPort, flush);
  }
}
