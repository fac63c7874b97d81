package io.varve.cluster;

import java.net.http.HttpClient;
import java.util.Optional;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;

/** How a process proves to the other processes of its cluster that it belongs to the cluster. */
public sealed interface ProcessCredentials {

  /** Without security: no proof. */
  record None() implements ProcessCredentials {

    @Override
    public HttpClient client(HttpClient.Builder builder) {
      return new LazyHttpClient(builder::build);
    }
  }

  /** With security, but without TLS: by the secret of the cluster in a header. */
  record Secret(ClusterSecret secret) implements ProcessCredentials {

    @Override
    public HttpClient client(HttpClient.Builder builder) {
      return SecretHttpClient.of(new LazyHttpClient(builder::build), secret);
    }

    @Override
    public Optional<ClusterSecret> header() {
      return Optional.of(secret);
    }
  }

  /**
   * With TLS: by the certificate of this process.
   *
   * @param generations changes when connections must be made again
   */
  record Certificate(SSLContext context, LongSupplier generations) implements ProcessCredentials {

    @Override
    public HttpClient client(HttpClient.Builder builder) {
      return new LazyHttpClient(
          () -> new RenewedHttpClient(builder.sslContext(context)::build, generations));
    }

    @Override
    public long generation() {
      return generations.getAsLong();
    }

    @Override
    public Optional<SSLContext> tls() {
      return Optional.of(context);
    }
  }

  /** A client of the processes of this cluster, built when it is first used. */
  HttpClient client(HttpClient.Builder builder);

  /** The secret that requests to internal paths carry. */
  default Optional<ClusterSecret> header() {
    return Optional.empty();
  }

  /**
   * If the value has changed, requests must not use connections that were made before the change.
   */
  default long generation() {
    return 0;
  }

  /** The context of connections. */
  default Optional<SSLContext> tls() {
    return Optional.empty();
  }
}
