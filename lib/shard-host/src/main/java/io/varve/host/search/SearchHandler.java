package io.varve.host.search;

import io.varve.host.ShardCopy;
import io.varve.host.http.ShardEndpoint;
import io.varve.http.internal.Bodies;
import io.varve.memory.ParentBreaker;
import io.varve.rpc.NodeLoad;
import io.varve.rpc.SearchCallHeaders;
import io.varve.search.ShardSearchRequest;
import io.varve.selection.ExecutorReport;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.IntFunction;

/**
 * Receives searches on copies: the request's own thread reads the body, waits until a worker has
 * computed the response, and sends it, so that no worker waits for a connection. Each response
 * reports the load of the node.
 */
public final class SearchHandler {

  private final SearchPool pool;
  private final NodeTasks tasks;
  private final ParentBreaker memory;

  /**
   * @param memory refuses searches while the heap is full
   */
  public SearchHandler(SearchPool pool, NodeTasks tasks, ParentBreaker memory) {
    this.pool = pool;
    this.tasks = tasks;
    this.memory = memory;
  }

  /**
   * One search request on a copy.
   *
   * @param largeArrays allocates the large arrays of the answer, if there is room for them
   */
  @SuppressWarnings("ArrayRecordComponent")
  record Question(
      ShardCopy copy,
      HttpServletRequest request,
      SearchHeaders headers,
      byte[] body,
      SearchTurn turn,
      IntFunction<byte[]> largeArrays) {}

  /** Computes a response. */
  @FunctionalInterface
  interface Step {
    byte[] answer(Question question) throws Exception;
  }

  /** The step as an endpoint; it is listed, and can be cancelled, as {@code action}. */
  ShardEndpoint endpoint(String action, Step step) {
    return endpoint(action, ShardSearchRequest.CONTENT_TYPE, step);
  }

  ShardEndpoint endpoint(String action, String contentType, Step step) {
    return (copy, rest, request, response) -> {
      long arrived = pool.now();
      memory.check("<search>");
      SearchHeaders headers = SearchHeaders.of(request);
      SearchHeaders.Caller caller = headers.caller();
      byte[] body = Bodies.read(request);
      String shard = "shardId[" + copy.shard() + "]";
      try (ParentBreaker.Account room = memory.open("<search_answer>")) {
        byte[] answer;
        try (NodeTasks.Running task = tasks.begin(action, caller.task(), caller.attempt(), shard)) {
          SearchTurn turn = pool.turn(task, caller, arrived);
          Question question = new Question(copy, request, headers, body, turn, room);
          try {
            answer = pool.run(turn, () -> step.answer(question));
          } finally {
            response.setHeader(SearchCallHeaders.LOAD, load(turn.tookNanos()).toHeader());
          }
        }
        Bodies.send(response, contentType, answer);
      }
    };
  }

  /**
   * The same for an endpoint that needs no worker: it responds immediately, with the load of the
   * node.
   */
  ShardEndpoint atOnce(ShardEndpoint endpoint) {
    return (copy, rest, request, response) -> {
      response.setHeader(SearchCallHeaders.LOAD, load());
      endpoint.handle(copy, rest, request, response);
    };
  }

  /** The search load of the node, for probes that do not search. */
  String load() {
    return load(-1).toHeader();
  }

  private NodeLoad load(long tookNanos) {
    ExecutorReport now = pool.load();
    ExecutorReport.Slowness slowness = now.slowness();
    return new NodeLoad(
        tookNanos,
        new NodeLoad.Queue(now.queueSize(), now.running(), now.workers()),
        new NodeLoad.Times(
            now.serviceTimeEwmaNanos(), slowness.factor(), slowness.trust(), slowness.ageNanos()));
  }
}
