package io.varve.cluster;

import java.net.http.HttpClient;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * A client whose requests use no connection of an earlier generation: when the generation changes,
 * it creates another client. Requests of the previous client are completed, its idle connections
 * are closed by their timeout, and its thread ends once the client is no longer referenced.
 */
final class RenewedHttpClient extends DelegatingHttpClient {

  private record Current(HttpClient client, long generation) {}

  private final Supplier<HttpClient> clients;
  private final LongSupplier generations;
  private volatile Current current;
  private volatile boolean closed;

  RenewedHttpClient(Supplier<HttpClient> clients, LongSupplier generations) {
    this.clients = clients;
    this.generations = generations;
    this.current = new Current(clients.get(), generations.getAsLong());
  }

  @Override
  HttpClient client() {
    return current.client();
  }

  @Override
  HttpClient sender() {
    long generation = generations.getAsLong();
    Current now = current;
    return now.generation() >= generation ? now.client() : renew(generation);
  }

  private synchronized HttpClient renew(long generation) {
    if (current.generation() < generation && !closed) {
      current = new Current(clients.get(), generation);
    }
    return current.client();
  }

  @Override
  public synchronized void shutdown() {
    closed = true;
    super.shutdown();
  }

  @Override
  public synchronized void shutdownNow() {
    closed = true;
    super.shutdownNow();
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    super.close();
  }
}
