package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.search.QueryVerdicts.Verdict;
import io.varve.rest.JsonErrors;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rest.TaskKind;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.SearchRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * {@code _validate/query}: whether a query is valid, and how Lucene would execute it. Asks one
 * shard of each index or, with {@code all_shards}, every shard.
 */
final class ValidateQueryEndpoint implements RestEndpoint {

  private static final Set<String> PARAMETERS =
      Set.of("q", "df", "default_operator", "analyzer", "analyze_wildcard", "lenient");

  private final ClusterAccess cluster;
  private final QueryVerdicts verdicts;

  ValidateQueryEndpoint(ClusterAccess cluster, QueryVerdicts verdicts) {
    this.cluster = cluster;
    this.verdicts = verdicts;
  }

  /** The level of detail. */
  private record Detail(boolean explain, boolean rewrite, boolean allShards) {}

  /** The query, or an error that is found without asking a shard. */
  private record Read(@Nullable SearchRequest request, @Nullable ErrorBody error) {}

  @Override
  public List<Route> routes() {
    return Route.getAndPost("/_validate/query", "/{index}/_validate/query");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    SearchOptions.Where where =
        new SearchOptions.Where(
            request.param("index"),
            IndexOptions.of(request, IndexOptions.LENIENT),
            null,
            ShardPreference.NONE);
    Detail detail =
        new Detail(
            request.flag("explain", false),
            request.flag("rewrite", false),
            request.flag("all_shards", false));
    Read read = read(request, new LinkedHashMap<>(request.readAll(PARAMETERS)));
    TaskKind kind =
        new TaskKind("indices:admin/validate/query", SearchTask.indices(where.expression()), false);
    return RestAction.task(kind, responder -> responder.json(200, answer(read, where, detail)));
  }

  private static Read read(RestRequest request, Map<String, String> parameters) {
    byte[] body = request.body();
    try {
      CountEndpoint.checkKeys(request.bodyAsMap());
      parameters.put("size", "0");
      return new Read(SearchRequest.parse(body, parameters), null);
    } catch (ApiException e) {
      return new Read(null, e.error());
    } catch (JacksonException e) {
      return new Read(null, JsonErrors.of(e));
    }
  }

  private Map<String, Object> answer(Read read, SearchOptions.Where where, Detail detail)
      throws InterruptedException {
    SearchRequest request = read.request();
    if (request == null) {
      return refused(read.error(), detail);
    }
    ClusterState state = cluster.state();
    List<Verdict> found =
        verdicts.of(
            state, request, where, detail.rewrite() || detail.explain(), detail.allShards());
    Map<String, Object> answer = new LinkedHashMap<>();
    long failed = found.stream().filter(verdict -> verdict.failure() != null).count();
    answer.put("_shards", shards(found.size(), failed));
    answer.put("valid", found.stream().allMatch(verdict -> verdict.error() == null));
    if (detail.explain() || detail.rewrite()) {
      List<Map<String, Object>> explanations = new ArrayList<>();
      found.stream()
          .filter(verdict -> verdict.failure() == null)
          .forEach(verdict -> explanations.add(explanation(verdict, detail)));
      answer.put("explanations", explanations);
    }
    return answer;
  }

  private static Map<String, Object> refused(@Nullable ErrorBody error, Detail detail) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("valid", false);
    if (detail.explain() && error != null) {
      answer.put("error", QueryVerdicts.text(error));
    }
    return answer;
  }

  private static Map<String, Object> shards(int total, long failed) {
    Map<String, Object> shards = new LinkedHashMap<>();
    shards.put("total", total);
    shards.put("successful", total - failed);
    shards.put("failed", failed);
    return shards;
  }

  private static Map<String, Object> explanation(Verdict verdict, Detail detail) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("index", verdict.index());
    if (detail.allShards()) {
      shown.put("shard", verdict.shard());
    }
    shown.put("valid", verdict.error() == null);
    if (verdict.error() != null) {
      shown.put("error", verdict.error());
    } else {
      shown.put("explanation", verdict.explanation());
    }
    return shown;
  }
}
