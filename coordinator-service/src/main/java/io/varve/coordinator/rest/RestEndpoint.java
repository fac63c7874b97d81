package io.varve.coordinator.rest;

import java.util.List;

/**
 * Answers the requests of some routes, in two steps: {@link #prepare} reads parameters and body and
 * does nothing else; when no parameter was left unread, the action that it returned runs.
 */
public interface RestEndpoint {

  List<Route> routes();

  /** Throws {@link io.varve.rpc.ApiException} for a request that can't be served. */
  RestAction prepare(RestRequest request);

  /** Whether the body may be lines of JSON ({@code application/x-ndjson}). */
  default boolean readsLines() {
    return false;
  }

  /** What a well-formed request asks for. May block: it runs on a virtual thread. */
  @FunctionalInterface
  interface RestAction {
    void run(RestResponder responder) throws InterruptedException;
  }
}
