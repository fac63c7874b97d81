package io.varve.replication.replica;

import io.varve.cluster.RemoteAccess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A node from which files are copied, and how it is called.
 *
 * @param url such as {@code http://127.0.0.1:9301}
 * @param authorization the header of that name; null for none
 */
record PeerNode(String url, HttpClient http, @Nullable String authorization) {

  private static final String PLAIN = "http:";

  /** A node of this cluster. */
  PeerNode(String url, HttpClient http) {
    this(url, http, null);
  }

  /**
   * A node of a cluster that is called in this way. Nodes register their address without TLS; if
   * their cluster is called with TLS, the nodes are also called with TLS, at the same address.
   *
   * @throws IOException the address is not allowed, or the certificates or the credentials can't be
   *     read
   */
  static PeerNode of(String url, RemoteAccess access) throws IOException {
    access.require(String.valueOf(URI.create(url).getAuthority()));
    String called =
        url.startsWith(PLAIN) ? access.scheme() + url.substring(PLAIN.length() - 1) : url;
    return new PeerNode(called, access.http(), access.authorization().orElse(null));
  }

  HttpRequest.Builder request(String path, Duration timeout) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(timeout);
    return authorization == null ? request : request.header("Authorization", authorization);
  }

  @Override
  public String toString() {
    return url;
  }
}
