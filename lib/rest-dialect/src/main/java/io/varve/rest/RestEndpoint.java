package io.varve.rest;

import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of some routes, in two steps: {@link #prepare} reads parameters and body and
 * does nothing else. If it has read all parameters, the action that it returned is run.
 *
 * <p>The OpenAPI document of the endpoint is also derived from the reads of {@link #prepare}; there
 * is no second list of parameters. It must therefore read every supported parameter, even if
 * another one makes it irrelevant.
 */
public interface RestEndpoint {

  List<Route> routes();

  /** Throws {@link io.varve.rpc.ApiException} for an invalid request. */
  RestAction prepare(RestRequest request);

  /** Whether the body may be NDJSON ({@code application/x-ndjson}). */
  default boolean readsLines() {
    return false;
  }

  /**
   * A request that {@link #prepare} accepts, if it needs more than a path. The OpenAPI document
   * contains it, and is created by preparing it.
   */
  default RequestExample example() {
    return RequestExample.NOTHING_NEEDED;
  }

  /** The body of the response to a request that failed. */
  default Map<String, Object> failure(ErrorBody error, @Nullable String stackTrace) {
    return ErrorBodies.response(error, stackTrace);
  }

  /** The action of a well-formed request. May block, because it runs on a virtual thread. */
  @FunctionalInterface
  interface RestAction {
    void run(RestResponder responder) throws InterruptedException;

    /** The kind of task under which the action is listed; null if it is too short to be listed. */
    default @Nullable TaskKind task() {
      return null;
    }

    /** Returns the action, listed as a task. */
    static RestAction task(TaskKind kind, RestAction action) {
      return new RestAction() {
        @Override
        public void run(RestResponder responder) throws InterruptedException {
          action.run(responder);
        }

        @Override
        public TaskKind task() {
          return kind;
        }
      };
    }
  }
}
