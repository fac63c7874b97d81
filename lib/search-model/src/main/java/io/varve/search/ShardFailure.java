package io.varve.search;

import io.varve.rpc.ErrorBody;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The failure of a shard: none of its copies returned a result. */
public record ShardFailure(String index, int shard, @Nullable String node, ErrorBody reason) {

  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("shard", shard);
    map.put("index", index);
    if (node != null) {
      map.put("node", node);
    }
    map.put("reason", reason.toMap());
    return map;
  }

  /** The error of a search that failed on all shards. Its status is the highest of all failures. */
  public static ErrorBody allFailed(List<ShardFailure> failures) {
    int status = failures.stream().mapToInt(f -> f.reason.status()).max().orElse(503);
    ErrorBody error =
        ErrorBody.of(status, "search_phase_execution_exception", "all shards failed")
            .with("phase", "query")
            .with("grouped", true)
            .with("failed_shards", failures.stream().map(ShardFailure::toMap).toList());
    return failures.isEmpty() ? error : error.causedBy(failures.getFirst().reason);
  }
}
