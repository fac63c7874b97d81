package io.varve.cluster;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/**
 * Where the other processes find this one: what it was told to publish ({@code host:port}), for
 * example because a proxy or a translation of addresses stands between; else where it listens.
 */
public final class PublishAddress {

  private PublishAddress() {}

  /**
   * The URL to announce.
   *
   * @throws IllegalArgumentException if what is to be published is no {@code host:port}
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
