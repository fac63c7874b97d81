package io.varve.coordinator.cluster;

import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The brokers' addresses that this cluster sends to the clusters that follow it.
 *
 * @param bootstrapServers {@code host:port}, separated by commas
 */
public record BrokersForFollowers(String bootstrapServers) {

  public BrokersForFollowers {
    Objects.requireNonNull(bootstrapServers, "bootstrapServers");
  }

  /**
   * The addresses configured by {@code varve.kafka.remote-bootstrap-servers}.
   *
   * @throws IllegalArgumentException one of them is not {@code host:port}
   */
  public static BrokersForFollowers configured(String text) {
    for (String address : text.split(",", -1)) {
      check(address, text);
    }
    return new BrokersForFollowers(text);
  }

  private static void check(String address, String text) {
    URI uri;
    try {
      uri = URI.create("kafka://" + address);
    } catch (IllegalArgumentException e) {
      throw malformed(text, e);
    }
    boolean onlyHostAndPort = ("kafka://" + uri.getHost() + ":" + uri.getPort()).equals("" + uri);
    if (!onlyHostAndPort || uri.getPort() < 1 || uri.getPort() > 65_535) {
      throw malformed(text, null);
    }
  }

  private static IllegalArgumentException malformed(String text, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "varve.kafka.remote-bootstrap-servers must be host:port,..., was [" + text + "]", cause);
  }
}
