package io.varve.cluster;

import java.net.http.HttpClient;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client that is created when it is first used, because a client of the JDK has its own thread.
 */
final class LazyHttpClient extends DelegatingHttpClient {

  private final Supplier<HttpClient> factory;
  private @Nullable HttpClient created;

  LazyHttpClient(Supplier<HttpClient> factory) {
    this.factory = factory;
  }

  @Override
  synchronized HttpClient client() {
    HttpClient client = created;
    if (client == null) {
      client = factory.get();
      created = client;
    }
    return client;
  }
}
