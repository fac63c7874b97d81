package io.varve.coordinator.rest.search;

import io.varve.client.consistency.ReadPromise;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.consistency.ReadPromises;
import io.varve.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The options of a search that are not in its body.
 *
 * @param globalStatistics whether hits are scored with the term statistics of all shards (DFS)
 * @param promised the data that copies must show, and whether the response reports it
 * @param scroll the scroll to open, or null for none
 */
public record SearchOptions(
    Where where,
    Effort effort,
    @Nullable Scrolling scroll,
    boolean totalAsNumber,
    boolean globalStatistics,
    Promised promised) {

  /** Creates options without a read promise; each shard scores with its own statistics. */
  public SearchOptions(
      Where where, Effort effort, @Nullable Scrolling scroll, boolean totalAsNumber) {
    this(where, effort, scroll, totalAsNumber, false, Promised.NOTHING);
  }

  /**
   * A scroll to open.
   *
   * @param keepAlive the keep-alive as the client sent it
   * @param pauseMillis the announced pause after the first page, which may exceed the limit on
   *     keep-alives
   */
  public record Scrolling(String keepAlive, long pauseMillis) {

    static @Nullable Scrolling of(@Nullable String keepAlive) {
      return keepAlive == null ? null : new Scrolling(keepAlive, 0);
    }

    long keepAliveMillis(ClusterState state) {
      return KeepAlive.ofScroll(state, keepAlive) + pauseMillis;
    }
  }

  /** Returns these options with a scroll to open. */
  SearchOptions scrolling(Scrolling newScroll) {
    return new SearchOptions(where, effort, newScroll, totalAsNumber, globalStatistics, promised);
  }

  /**
   * The visibility that the copies must reach.
   *
   * @param shown whether the response reports what they showed
   */
  public record Promised(ReadPromise read, boolean shown) {
    static final Promised NOTHING = new Promised(ReadPromise.NONE, false);

    static Promised of(RestRequest request) {
      return new Promised(ReadPromises.of(request), request.flag("visible_seq_no", false));
    }
  }

  ReadPromise promise() {
    return promised.read();
  }

  boolean showsSeqNos() {
    return promised.shown();
  }

  SearchOptions promising(Promised newPromised) {
    return new SearchOptions(where, effort, scroll, totalAsNumber, globalStatistics, newPromised);
  }

  /** The indices and shards to search. */
  public record Where(
      @Nullable String expression,
      IndexOptions options,
      @Nullable String routing,
      ShardPreference preference) {}

  /**
   * Options about resources and partial results.
   *
   * @param allowPartial whether the response may omit failed shards; null for the cluster's default
   * @param requestCache whether the request cache may be used; null for the default
   * @param batchedReduce the number of shard answers that are reduced together
   * @param preFilterFrom the number of shards beyond which the can-match round runs
   * @param perNode the limit on concurrent shard requests per node
   * @param cancelAfter the time after which the search is cancelled; null for the cluster's default
   */
  public record Effort(
      @Nullable Boolean allowPartial,
      @Nullable Boolean requestCache,
      int batchedReduce,
      int preFilterFrom,
      int perNode,
      @Nullable String cancelAfter) {
    static final Effort USUAL = new Effort(null, null, 512, 128, 5, null);
  }

  private static final Set<String> TYPES = Set.of("query_then_fetch", "dfs_query_then_fetch");

  static SearchOptions of(RestRequest request) {
    String type = request.param("search_type");
    checkType(type);
    request.flag("ccs_minimize_roundtrips", true);
    Where where =
        new Where(
            request.param("index"),
            IndexOptions.of(request, IndexOptions.LENIENT),
            request.param("routing"),
            ShardPreference.parse(request.param("preference")));
    return new SearchOptions(
        where,
        effort(request),
        Scrolling.of(request.param("scroll")),
        request.flag("rest_total_hits_as_int", false),
        "dfs_query_then_fetch".equals(type),
        Promised.of(request));
  }

  private static Effort effort(RestRequest request) {
    Effort usual = Effort.USUAL;
    int batched = request.integer("batched_reduce_size", usual.batchedReduce);
    if (batched < 2) {
      throw illegal("batchedReduceSize must be >= 2");
    }
    int perNode = request.integer("max_concurrent_shard_requests", usual.perNode);
    if (perNode < 1) {
      throw illegal("maxConcurrentShardRequests must be >= 1");
    }
    int preFilter = request.integer("pre_filter_shard_size", usual.preFilterFrom);
    if (preFilter < 1) {
      throw illegal("preFilterShardSize must be >= 1");
    }
    return new Effort(
        flag(request, "allow_partial_search_results"),
        flag(request, "request_cache"),
        batched,
        preFilter,
        perNode,
        request.param("cancel_after_time_interval"));
  }

  private static @Nullable Boolean flag(RestRequest request, String name) {
    return request.has(name) ? (Boolean) request.flag(name, true) : null;
  }

  public static void checkType(@Nullable String type) {
    if (type != null && !TYPES.contains(type)) {
      throw illegal("No search type for [" + type + "]");
    }
  }

  private static ApiException illegal(String reason) {
    return new ApiException(ErrorBody.illegalArgument(reason));
  }
}
