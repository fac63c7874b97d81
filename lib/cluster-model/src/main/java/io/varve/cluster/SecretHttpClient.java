package io.varve.cluster;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;

/**
 * A client of the processes of this cluster: it adds the {@link ClusterSecret} to requests for
 * internal paths. Clients of other clusters use the client {@link #withoutSecret}.
 */
public final class SecretHttpClient extends DelegatingHttpClient {

  private final HttpClient client;
  private final ClusterSecret secret;

  private SecretHttpClient(HttpClient client, ClusterSecret secret) {
    this.client = client;
    this.secret = secret;
  }

  static HttpClient of(HttpClient client, ClusterSecret secret) {
    return new SecretHttpClient(client, secret);
  }

  /** The client for requests to other clusters. */
  public static HttpClient withoutSecret(HttpClient client) {
    return client instanceof SecretHttpClient own ? own.client : client;
  }

  @Override
  HttpRequest sent(HttpRequest request) {
    String path = request.uri().getRawPath();
    return path != null && path.startsWith(ClusterSecret.INTERNAL + "/")
        ? HttpRequest.newBuilder(request, (_, _) -> true)
            .setHeader(ClusterSecret.HEADER, secret.header())
            .build()
        : request;
  }

  @Override
  HttpClient client() {
    return client;
  }
}
