package io.varve.coordinator.rest.index;

import io.varve.client.CopyReader;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.rest.HumanText;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** {@code _stats}: statistics of copies, summed over primaries and over all copies. */
public final class StatsEndpoint implements RestEndpoint {

  private final ClusterAccess cluster;
  private final CopyReader reader;

  public StatsEndpoint(ClusterAccess cluster, CopyReader reader) {
    this.cluster = cluster;
    this.reader = reader;
  }

  @Override
  public List<Route> routes() {
    return Route.get("/_stats", "/_stats/{metric}", "/{index}/_stats", "/{index}/_stats/{metric}");
  }

  @Override
  public RestAction prepare(RestRequest request) {
    String expression = request.param("index");
    StatsRequest wanted = StatsRequest.of(request);
    boolean human = request.flag("human", false);
    IndexOptions options =
        IndexOptions.of(
            request,
            request.flag("forbid_closed_indices", true) ? IndexOptions.LENIENT : IndexOptions.SHOW);
    return responder -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> indices = IndexResolver.resolve(state, expression, options);
      StatsReport report = StatsReport.read(cluster, state, indices, reader, wanted);
      Map<String, Object> answer = answer(indices, report, wanted);
      responder.json(200, human ? withGetTime(HumanText.of(answer)) : answer);
    };
  }

  private static Map<String, Object> answer(
      List<IndexMetadata> indices, StatsReport report, StatsRequest wanted) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("_shards", report.counts().toMap());
    answer.put("_all", report.sums(copy -> true));
    if (!wanted.level().equals("cluster")) {
      Map<String, Object> byName = new LinkedHashMap<>();
      for (IndexMetadata index : indices) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("uuid", index.uuid());
        one.putAll(report.sums(copy -> copy.indexName().equals(index.name())));
        if (wanted.level().equals("shards")) {
          one.put("shards", report.shards(index.name()));
        }
        byName.put(index.name(), one);
      }
      answer.put("indices", byName);
    }
    return answer;
  }

  /** Adds the second name under which OpenSearch shows the time of gets. */
  private static Map<String, Object> withGetTime(Map<String, Object> answer) {
    Map<String, Object> shown = new LinkedHashMap<>();
    answer.forEach(
        (name, value) -> shown.put(name, name.equals("get") ? twice(value) : deep(value)));
    return shown;
  }

  @SuppressWarnings("unchecked")
  private static Object twice(Object get) {
    Map<String, Object> shown = new LinkedHashMap<>();
    ((Map<String, Object>) get)
        .forEach((name, value) -> {
          if (name.equals("time")) {
            shown.put("getTime", value);
          }
          shown.put(name, value);
        });
    return shown;
  }

  @SuppressWarnings("unchecked")
  private static Object deep(Object value) {
    return switch (value) {
      case Map<?, ?> map -> withGetTime((Map<String, Object>) map);
      case List<?> list -> list.stream().map(StatsEndpoint::deep).toList();
      case null, default -> value;
    };
  }
}
