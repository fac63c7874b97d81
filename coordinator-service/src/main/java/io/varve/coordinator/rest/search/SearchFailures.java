package io.varve.coordinator.rest.search;

import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.search.ShardFailure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The error of a search whose shards failed. */
final class SearchFailures {

  private SearchFailures() {}

  static ErrorBody allFailed(List<ShardFailure> failures) {
    return failed("all shards failed", failures);
  }

  static ErrorBody failed(String reason, List<ShardFailure> failures) {
    int status = failures.stream().mapToInt(f -> f.reason().status()).max().orElse(503);
    // Shards of one index mostly fail for the same reason, which is then shown once.
    Map<String, ShardFailure> grouped = new LinkedHashMap<>();
    for (ShardFailure failure : failures) {
      grouped.putIfAbsent(
          failure.index() + "/" + failure.reason().type() + "/" + failure.reason().reason(),
          failure);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("phase", "query");
    fields.put("grouped", true);
    fields.put("failed_shards", grouped.values().stream().map(ShardFailure::toMap).toList());
    fields.put(
        ErrorBodies.ROOT_CAUSE,
        grouped.values().stream().map(failure -> withoutCause(failure.reason())).toList());
    return new ErrorBody(
        status, "search_phase_execution_exception", reason, fields, failures.getFirst().reason());
  }

  private static Map<String, Object> withoutCause(ErrorBody error) {
    Map<String, Object> map = new LinkedHashMap<>(error.toMap());
    map.remove("caused_by");
    return map;
  }
}
