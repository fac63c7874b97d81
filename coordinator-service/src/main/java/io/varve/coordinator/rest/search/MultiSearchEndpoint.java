package io.varve.coordinator.rest.search;

import io.varve.coordinator.rest.search.MultiSearchParser.Item;
import io.varve.coordinator.rest.task.Task;
import io.varve.coordinator.rest.task.Tasks;
import io.varve.events.Json;
import io.varve.process.Parallel;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.RestResponder;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** {@code _msearch}: several searches, each of which succeeds or fails on its own. */
final class MultiSearchEndpoint implements RestEndpoint {

  private static final byte[] OK = ",\"status\":200}".getBytes(StandardCharsets.UTF_8);

  private final Searches searches;
  private final Tasks tasks;
  private final Parallel parallel;

  MultiSearchEndpoint(Searches searches, Tasks tasks, Parallel parallel) {
    this.searches = searches;
    this.tasks = tasks;
    this.parallel = parallel;
  }

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_msearch", "/{index}/_msearch");
  }

  @Override
  public boolean readsLines() {
    return true;
  }

  @Override
  public RequestExample example() {
    return RequestExample.ofBody(
        """
        {"index":"books"}
        {"query":{"match":{"title":"sand"}}}
        """);
  }

  @Override
  public RestAction prepare(RestRequest request) {
    int maxConcurrent = request.integer("max_concurrent_searches", usualConcurrency());
    if (maxConcurrent < 1) {
      throw new ApiException(
          ErrorBody.illegalArgument("maxConcurrentSearchRequests must be positive"));
    }
    boolean typedKeys = request.flag("typed_keys", false);
    Map<String, String> defaults =
        new LinkedHashMap<>(
            request.readAll(
                Set.of(
                    "index",
                    "search_type",
                    "routing",
                    "preference",
                    "ignore_unavailable",
                    "allow_no_indices",
                    "expand_wildcards",
                    "pre_filter_shard_size",
                    "max_concurrent_shard_requests",
                    "rest_total_hits_as_int",
                    "ccs_minimize_roundtrips",
                    "cancel_after_time_interval")));
    SearchOptions.Promised promised = SearchOptions.Promised.of(request);
    List<Item> items =
        new MultiSearchParser(defaults)
            .parse(request.body()).stream()
                .map(item -> new Item(item.request(), item.searchOptions().promising(promised)))
                .toList();
    if (items.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(List.of("no requests added")));
    }
    TaskKind kind =
        new TaskKind("indices:data/read/msearch", "requests[" + items.size() + "]", true);
    return RestAction.task(
        kind, responder -> run(items, new Options(maxConcurrent, typedKeys), responder));
  }

  private static int usualConcurrency() {
    return Math.max(1, Math.min(10, Runtime.getRuntime().availableProcessors() * 3 / 2 + 1));
  }

  /**
   * @param maxConcurrent the limit on concurrent searches
   */
  private record Options(int maxConcurrent, boolean typedKeys) {}

  private void run(List<Item> items, Options options, RestResponder responder)
      throws InterruptedException {
    long began = System.nanoTime();
    items.forEach(item -> item.request().aggregations().warnings().forEach(responder::warning));
    Task task = Tasks.current();
    Semaphore turns = new Semaphore(options.maxConcurrent());
    List<byte[]> answers =
        parallel.map(items, item -> inTurn(item, task, turns, options.typedKeys()));
    ByteArrayOutputStream out = new ByteArrayOutputStream(4096);
    long tookMillis = (System.nanoTime() - began) / 1_000_000;
    out.writeBytes(
        ("{\"took\":" + tookMillis + ",\"responses\":[").getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < answers.size(); i++) {
      if (i > 0) {
        out.write(',');
      }
      out.writeBytes(answers.get(i));
    }
    out.writeBytes("]}".getBytes(StandardCharsets.UTF_8));
    responder.json(200, out.toByteArray());
  }

  private byte[] inTurn(Item item, @Nullable Task task, Semaphore turns, boolean typedKeys)
      throws InterruptedException {
    turns.acquire();
    Task part =
        task == null
            ? null
            : tasks.beginPart(task, SearchTask.of(item.request(), item.searchOptions()));
    try {
      return answer(item, part, typedKeys);
    } finally {
      if (part != null) {
        tasks.end(part);
      }
      turns.release();
    }
  }

  private byte[] answer(Item item, @Nullable Task part, boolean typedKeys)
      throws InterruptedException {
    try {
      byte[] json =
          searches
              .search(item.request(), item.searchOptions(), part)
              .json(item.searchOptions().totalAsNumber(), typedKeys);
      ByteArrayOutputStream out = new ByteArrayOutputStream(json.length + OK.length);
      out.write(json, 0, json.length - 1);
      out.writeBytes(OK);
      return out.toByteArray();
    } catch (ApiException e) {
      return Json.write(ErrorBodies.response(e.error(), null));
    }
  }
}
