package io.varve.coordinator.rest.search;

import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.RestRequest;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a search is done, beside what it asks for.
 *
 * @param globalStatistics hits are scored by the figures of all shards together
 * @param scroll the keep-alive of a scroll that is to be opened, or null for none
 */
public record SearchHow(
    Where where,
    Effort effort,
    @Nullable String scroll,
    boolean totalAsNumber,
    boolean globalStatistics) {

  /** By the figures of each shard alone. */
  public SearchHow(Where where, Effort effort, @Nullable String scroll, boolean totalAsNumber) {
    this(where, effort, scroll, totalAsNumber, false);
  }

  /** What is searched. */
  public record Where(
      @Nullable String expression,
      IndexOptions options,
      @Nullable String routing,
      ShardPreference preference) {}

  /**
   * What may be spent.
   *
   * @param allowPartial whether failed shards may be left out; null for what the cluster says
   * @param requestCache whether the answer may be kept; null for what is usual
   * @param batchedReduce answers that are merged at a time
   * @param preFilterFrom so many shards are first asked whether they can match at all
   * @param perNode shards asked at the same time on one node
   * @param cancelAfter after which it is cancelled; null for what the cluster says
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

  static SearchHow of(RestRequest request) {
    String type = request.param("search_type");
    checkType(type);
    request.flag("ccs_minimize_roundtrips", true);
    Where where =
        new Where(
            request.param("index"),
            IndexOptions.of(request, IndexOptions.LENIENT),
            request.param("routing"),
            ShardPreference.parse(request.param("preference")));
    return new SearchHow(
        where,
        effort(request),
        request.param("scroll"),
        request.flag("rest_total_hits_as_int", false),
        "dfs_query_then_fetch".equals(type));
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
