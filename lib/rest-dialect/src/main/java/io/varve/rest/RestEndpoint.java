package io.varve.rest;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers the requests of some routes, in two steps: {@link #prepare} reads parameters and body and
 * does nothing else; when no parameter was left unread, the action that it returned runs.
 *
 * <p>What {@link #prepare} reads is also what the OpenAPI document says of the endpoint: there is
 * no second list of parameters. So it reads every parameter that it knows, whether or not another
 * one makes it needless.
 */
public interface RestEndpoint {

  List<Route> routes();

  /** Throws {@link io.varve.rpc.ApiException} for a request that can't be served. */
  RestAction prepare(RestRequest request);

  /** Whether the body may be lines of JSON ({@code application/x-ndjson}). */
  default boolean readsLines() {
    return false;
  }

  /**
   * A request that {@link #prepare} takes, when it needs more than a path: the document shows it,
   * and is made by preparing it.
   */
  default RequestExample example() {
    return RequestExample.NOTHING_NEEDED;
  }

  /** What a well-formed request asks for. May block: it runs on a virtual thread. */
  @FunctionalInterface
  interface RestAction {
    void run(RestResponder responder) throws InterruptedException;

    /** What the action is as a task, null when it is too short to be seen as one. */
    default @Nullable TaskKind task() {
      return null;
    }

    /** The action as a task. */
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
