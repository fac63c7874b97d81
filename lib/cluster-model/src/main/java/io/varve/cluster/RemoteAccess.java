package io.varve.cluster;

import java.io.IOException;
import java.net.http.HttpClient;
import java.util.Optional;

/** How requests to the coordinators of another cluster are sent; evaluated for each request. */
public interface RemoteAccess {

  /**
   * @throws IOException the certificates of the authorities can't be read
   */
  HttpClient http() throws IOException;

  /**
   * Checks the address of a process before a connection is made to it.
   *
   * @param address {@code host:port}
   * @throws RemoteCluster.RefusedException it is not allowed
   */
  void require(String address) throws RemoteCluster.RefusedException;

  /** {@code http} or {@code https}. */
  String scheme();

  /**
   * The value of the header {@code Authorization}.
   *
   * @throws IOException the credentials can't be read
   */
  Optional<String> authorization() throws IOException;

  /** Names the credentials, for the error if they are refused. */
  String credentials();

  /** Without TLS, credentials and restrictions. */
  static RemoteAccess plain(HttpClient http) {
    return new RemoteAccess() {
      @Override
      public HttpClient http() {
        return http;
      }

      @Override
      public void require(String address) {
        // The addresses of this cluster are not restricted.
      }

      @Override
      public String scheme() {
        return "http";
      }

      @Override
      public Optional<String> authorization() {
        return Optional.empty();
      }

      @Override
      public String credentials() {
        return "no credentials";
      }
    };
  }
}
