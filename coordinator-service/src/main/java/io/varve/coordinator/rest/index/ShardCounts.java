package io.varve.coordinator.rest.index;

import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The object {@code _shards} of requests that go to every copy: the numbers of all copies, of
 * successful copies and of failed copies. Copies that are not started count only in the first
 * number.
 */
public final class ShardCounts {

  private int total;
  private int successful;
  private final List<Map<String, Object>> failures = new ArrayList<>();

  public void add(int copies, int done) {
    total += copies;
    successful += done;
  }

  public void addFailure(String index, int shard, ErrorBody error) {
    Map<String, Object> failure = new LinkedHashMap<>();
    failure.put("shard", shard);
    failure.put("index", index);
    failure.put("status", statusName(error.status()));
    failure.put("reason", error.toMap());
    failures.add(failure);
  }

  private static String statusName(int status) {
    return switch (status) {
      case 404 -> "NOT_FOUND";
      case 409 -> "CONFLICT";
      case 503 -> "SERVICE_UNAVAILABLE";
      case 504 -> "GATEWAY_TIMEOUT";
      default -> "INTERNAL_SERVER_ERROR";
    };
  }

  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("total", total);
    map.put("successful", successful);
    map.put("failed", failures.size());
    if (!failures.isEmpty()) {
      map.put("failures", failures);
    }
    return map;
  }
}
