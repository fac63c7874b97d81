package io.varve.cluster;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A client of the processes of the own cluster: it adds the {@link ClusterSecret} to requests for
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

  private HttpRequest with(HttpRequest request) {
    String path = request.uri().getRawPath();
    return path != null && path.startsWith(ClusterSecret.INTERNAL + "/")
        ? HttpRequest.newBuilder(request, (_, _) -> true)
            .setHeader(ClusterSecret.HEADER, secret.header())
            .build()
        : request;
  }

  @Override
  public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return client.send(with(request), handler);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    return client.sendAsync(with(request), handler);
  }

  @Override
  public <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request,
      HttpResponse.BodyHandler<T> handler,
      HttpResponse.@Nullable PushPromiseHandler<T> pushes) {
    return client.sendAsync(with(request), handler, pushes);
  }

  @Override
  HttpClient client() {
    return client;
  }
}
