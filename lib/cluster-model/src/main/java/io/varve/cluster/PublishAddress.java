package io.varve.cluster;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The address at which other processes reach this one: the configured one ({@code host:port}), for
 * example behind a proxy or NAT; else the one that the server listens on.
 */
public final class PublishAddress {

  private PublishAddress() {}

  /**
   * The URL to publish.
   *
   * @throws IllegalArgumentException if the configured address is not {@code host:port}
   */
  public static String url(@Nullable String publish, String host, int port) {
    if (publish == null || publish.isEmpty()) {
      return "http://" + host + ":" + port;
    }
    URI uri;
    try {
      uri = URI.create("http://" + publish);
    } catch (IllegalArgumentException e) {
      throw malformed(publish, e);
    }
    if (uri.getHost() == null || uri.getPort() < 1 || !uri.getPath().isEmpty()) {
      throw malformed(publish, null);
    }
    return uri.toString();
  }

  private static IllegalArgumentException malformed(String publish, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "varve.publish-address must be host:port, was [" + publish + "]", cause);
  }
}
