package io.varve.cluster;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * The address at which other processes reach this one: the configured one ({@code host:port}), for
 * example behind a proxy or NAT; else the one that the server listens on.
 *
 * @param tls whether that is an address of HTTPS
 * @param port on which the server listens
 */
public record PublishAddress(boolean tls, int port) {

  /**
   * The URL to publish.
   *
   * @param publish the configured address
   * @param host that the server binds
   * @throws IllegalArgumentException if the configured address is not {@code host:port}
   */
  public String url(@Nullable String publish, String host) {
    String scheme = tls ? "https://" : "http://";
    if (publish == null || publish.isEmpty()) {
      return scheme + host + ":" + port;
    }
    URI uri;
    try {
      uri = URI.create(scheme + publish);
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
