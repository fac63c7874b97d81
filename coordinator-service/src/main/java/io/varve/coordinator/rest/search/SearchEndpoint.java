package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.ErrorBodies;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.RestResponder;
import io.varve.coordinator.rest.Route;
import io.varve.coordinator.rest.SearchIndex;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchReducer;
import io.varve.search.SearchRequest;
import io.varve.search.SearchResponseWriter;
import io.varve.search.ShardSearchRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code _search}. */
public final class SearchEndpoint implements RestEndpoint {

  /** A shard that takes longer counts as failed. */
  static final Duration SHARD_TIMEOUT = Duration.ofSeconds(60);

  private static final List<String> TYPES = List.of("query_then_fetch");

  private final ClusterAccess cluster;
  private final SearchRouter router;
  private final InstantSource clock;

  public SearchEndpoint(ClusterAccess cluster, SearchRouter router, InstantSource clock) {
    this.cluster = cluster;
    this.router = router;
    this.clock = clock;
  }

  /** How a search is done, beside what it asks for. */
  private record How(
      @Nullable String expression,
      IndexOptions options,
      @Nullable String routing,
      @Nullable String preference,
      boolean allowPartial,
      boolean totalAsNumber) {

    static How of(RestRequest request) {
      return new How(
          request.param("index"),
          IndexOptions.of(request, IndexOptions.LENIENT),
          request.param("routing"),
          request.param("preference"),
          request.flag("allow_partial_search_results", true),
          request.flag("rest_total_hits_as_int", false));
    }
  }

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_search", "/{index}/_search");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    How how = How.of(request);
    refuseUnsupported(request);
    readHints(request);
    byte[] body = request.body();
    SearchRequest search = SearchRequest.parse(body, searchParameters(request));
    return responder -> run(search, how, responder);
  }

  /** The parameters of the query that say what is searched for. */
  static Map<String, String> searchParameters(RestRequest request) {
    return request.readAll(SearchRequest.URL_PARAMETERS);
  }

  private static void refuseUnsupported(RestRequest request) {
    for (String name : List.of("scroll", "stored_fields", "docvalue_fields", "explain")) {
      String value = request.param(name);
      if (value != null && !value.equals("false")) {
        throw new ApiException(
            ErrorBody.illegalArgument("[" + name + "] is not supported by this version"));
      }
    }
    String type = request.param("search_type");
    if (type != null && !TYPES.contains(type)) {
      throw new ApiException(ErrorBody.illegalArgument("No search type for [" + type + "]"));
    }
  }

  /** Hints about the how that change no result; typed keys concern aggregations alone. */
  private static void readHints(RestRequest request) {
    request.flag("request_cache", false);
    request.flag("typed_keys", false);
    request.flag("ccs_minimize_roundtrips", true);
    request.integer("batched_reduce_size", 512);
    request.integer("pre_filter_shard_size", 128);
    request.integer("max_concurrent_shard_requests", 5);
  }

  private void run(SearchRequest search, How how, RestResponder responder)
      throws InterruptedException {
    long began = System.nanoTime();
    ClusterState state = cluster.state();
    List<SearchIndex> indices =
        SearchTargets.indices(state, how.expression(), how.options(), how.routing());
    checkWindows(search, indices.stream().map(SearchIndex::index).toList());
    List<SearchRouter.Target> targets = SearchTargets.of(indices);
    ShardSearchRequest shardRequest = new ShardSearchRequest(search, clock.millis());
    SearchRouter.Found found =
        router.search(state, targets, shardRequest, how.preference(), SHARD_TIMEOUT);
    if (!how.allowPartial() && !found.failures().isEmpty()) {
      throw new ApiException(
          ErrorBody.of(503, "search_phase_execution_exception", "Partial shards failure")
              .causedBy(found.failures().getFirst().reason()));
    }
    SearchReducer.Reduced reduced = SearchReducer.reduce(search, found.answers());
    long tookMillis = (System.nanoTime() - began) / 1_000_000;
    responder.json(
        200,
        written(
            new SearchResponseWriter(search, how.totalAsNumber()),
            reduced,
            new SearchResponseWriter.Shards(targets.size(), 0, found.failures()),
            tookMillis));
  }

  private static void checkWindows(SearchRequest search, List<IndexMetadata> indices) {
    for (IndexMetadata index : indices) {
      ErrorBody error = search.checkResultWindow(IndexSettings.maxResultWindow(index.settings()));
      if (error != null) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("phase", "query");
        fields.put("grouped", true);
        Map<String, Object> shard = new LinkedHashMap<>();
        shard.put("shard", 0);
        shard.put("index", index.name());
        shard.put("reason", error.toMap());
        fields.put("failed_shards", List.of(shard));
        fields.put(ErrorBodies.ROOT_CAUSE, List.of(error.toMap()));
        throw new ApiException(
            new ErrorBody(
                400, "search_phase_execution_exception", "all shards failed", fields, error));
      }
    }
  }

  private static byte[] written(
      SearchResponseWriter writer,
      SearchReducer.Reduced reduced,
      SearchResponseWriter.Shards shards,
      long tookMillis) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(4096);
    try {
      writer.write(reduced, shards, tookMillis, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
