package io.varve.coordinator.rest.index;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.coordinator.rest.IndexOptions;
import io.varve.coordinator.rest.IndexResolver;
import io.varve.coordinator.rest.RestEndpoint;
import io.varve.coordinator.rest.RestRequest;
import io.varve.coordinator.rest.Route;
import io.varve.coordinator.rest.shard.CopyStatsReader;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code _stats}: what the copies of indices count, as sums of primaries and of all copies. */
public final class StatsEndpoint implements RestEndpoint {

  private static final Set<String> ELSEWHERE =
      Set.of(
          "warmer",
          "query_cache",
          "fielddata",
          "completion",
          "suggest",
          "request_cache",
          "recovery");

  private final ClusterAccess cluster;
  private final CopyStatsReader reader;

  public StatsEndpoint(ClusterAccess cluster, CopyStatsReader reader) {
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
    Set<String> metrics = metrics(request);
    String level = request.param("level", "indices");
    if (!List.of("cluster", "indices", "shards").contains(level)) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "level parameter must be one of [cluster] or [indices] or [shards] but was ["
                  + level
                  + "]"));
    }
    IndexOptions options = IndexOptions.of(request, IndexOptions.LENIENT);
    request.flag("forbid_closed_indices", true);
    return responder -> {
      ClusterState state = cluster.state();
      List<IndexMetadata> indices = IndexResolver.resolve(state, expression, options);
      responder.json(200, answer(indices, reader.read(state, indices), metrics, level));
    };
  }

  private static @Nullable Set<String> metrics(RestRequest request) {
    Set<String> metrics = new LinkedHashSet<>(request.list("metric"));
    if (metrics.isEmpty() || metrics.contains("_all")) {
      return null;
    }
    for (String metric : metrics) {
      if (!StatsJson.names().contains(metric) && !ELSEWHERE.contains(metric)) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "request [" + request.path() + "] contains unrecognized metric: [" + metric + "]"));
      }
    }
    return metrics;
  }

  private static Map<String, Object> answer(
      List<IndexMetadata> indices,
      List<CopyStatsReader.Answer> answers,
      @Nullable Set<String> metrics,
      String level) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("_shards", counts(indices, answers).toMap());
    answer.put("_all", sums(answers, metrics));
    if (!level.equals("cluster")) {
      Map<String, Object> byName = new LinkedHashMap<>();
      for (IndexMetadata index : indices) {
        List<CopyStatsReader.Answer> own =
            answers.stream().filter(a -> a.index().name().equals(index.name())).toList();
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("uuid", index.uuid());
        one.putAll(sums(own, metrics));
        if (level.equals("shards")) {
          one.put("shards", shards(own, metrics));
        }
        byName.put(index.name(), one);
      }
      answer.put("indices", byName);
    }
    return answer;
  }

  private static ShardCounts counts(
      List<IndexMetadata> indices, List<CopyStatsReader.Answer> answers) {
    ShardCounts counts = new ShardCounts();
    int copies = 0;
    for (IndexMetadata index : indices) {
      copies += index.shards().stream().mapToInt(shard -> shard.copies().size()).sum();
    }
    int done = 0;
    for (CopyStatsReader.Answer one : answers) {
      ErrorBody failure = one.failure();
      if (failure == null) {
        done++;
      } else {
        counts.addFailure(one.index().name(), one.copy().shard().number(), failure);
      }
    }
    counts.add(copies, done);
    return counts;
  }

  private static Map<String, Object> sums(
      List<CopyStatsReader.Answer> answers, @Nullable Set<String> metrics) {
    Map<String, Object> primaries = new LinkedHashMap<>();
    Map<String, Object> total = new LinkedHashMap<>();
    for (CopyStatsReader.Answer one : answers) {
      CopyStats stats = one.stats();
      if (stats != null) {
        Map<String, Object> sections = StatsJson.of(stats, metrics);
        StatsJson.add(total, sections);
        if (one.copy().copy().primary()) {
          StatsJson.add(primaries, sections);
        }
      }
    }
    Map<String, Object> sums = new LinkedHashMap<>();
    sums.put("primaries", primaries);
    sums.put("total", total);
    return sums;
  }

  private static Map<String, Object> shards(
      List<CopyStatsReader.Answer> answers, @Nullable Set<String> metrics) {
    Map<String, Object> shards = new LinkedHashMap<>();
    for (CopyStatsReader.Answer one : answers) {
      CopyStats stats = one.stats();
      if (stats == null) {
        continue;
      }
      Map<String, Object> copy = new LinkedHashMap<>();
      Map<String, Object> routing = new LinkedHashMap<>();
      routing.put("state", "STARTED");
      routing.put("primary", one.copy().copy().primary());
      routing.put("node", one.copy().node().nodeId());
      routing.put("relocating_node", null);
      copy.put("routing", routing);
      copy.putAll(StatsJson.of(stats, metrics));
      Map<String, Object> seqNo = new LinkedHashMap<>();
      seqNo.put("max_seq_no", stats.maxSeqNo());
      seqNo.put("local_checkpoint", stats.localCheckpoint());
      seqNo.put("global_checkpoint", stats.globalCheckpoint());
      copy.put("seq_no", seqNo);
      list(shards, Integer.toString(one.copy().shard().number())).add(copy);
    }
    return shards;
  }

  @SuppressWarnings("unchecked")
  private static List<Object> list(Map<String, Object> map, String key) {
    return (List<Object>) map.computeIfAbsent(key, k -> new ArrayList<>());
  }
}
