package io.varve.cluster;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** A client that sends requests through another one. */
abstract class DelegatingHttpClient extends HttpClient {

  /** The client whose properties are those of this one. */
  abstract HttpClient client();

  /** The client that sends the next request. */
  HttpClient sender() {
    return client();
  }

  /** The request that is sent instead of this one. */
  HttpRequest sent(HttpRequest request) {
    return request;
  }

  @Override
  public final <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException, InterruptedException {
    return sender().send(sent(request), handler);
  }

  @Override
  public final <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    return sender().sendAsync(sent(request), handler);
  }

  @Override
  public final <T> CompletableFuture<HttpResponse<T>> sendAsync(
      HttpRequest request,
      HttpResponse.BodyHandler<T> handler,
      HttpResponse.@Nullable PushPromiseHandler<T> pushes) {
    return sender().sendAsync(sent(request), handler, pushes);
  }

  @Override
  public Optional<CookieHandler> cookieHandler() {
    return client().cookieHandler();
  }

  @Override
  public Optional<Duration> connectTimeout() {
    return client().connectTimeout();
  }

  @Override
  public Redirect followRedirects() {
    return client().followRedirects();
  }

  @Override
  public Optional<ProxySelector> proxy() {
    return client().proxy();
  }

  @Override
  public SSLContext sslContext() {
    return client().sslContext();
  }

  @Override
  public SSLParameters sslParameters() {
    return client().sslParameters();
  }

  @Override
  public Optional<Authenticator> authenticator() {
    return client().authenticator();
  }

  @Override
  public Version version() {
    return client().version();
  }

  @Override
  public Optional<Executor> executor() {
    return client().executor();
  }

  @Override
  public void shutdown() {
    client().shutdown();
  }

  @Override
  public boolean awaitTermination(Duration duration) throws InterruptedException {
    return client().awaitTermination(duration);
  }

  @Override
  public boolean isTerminated() {
    return client().isTerminated();
  }

  @Override
  public void shutdownNow() {
    client().shutdownNow();
  }

  @Override
  public void close() {
    client().close();
  }
}
