package io.varve.host.search;

import io.varve.engine.slowlog.SlowLog;
import io.varve.engine.slowlog.SlowLog.Phase;
import io.varve.events.Json;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchRequest;
import io.varve.search.ShardSearchResult;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;

/**
 * Logs searches of a shard whose query or fetch phase took long. The time is that of {@code
 * search.query_time_in_millis} and {@code search.fetch_time_in_millis}; waiting for a worker does
 * not count.
 */
record SearchSlowLog(SlowLog query, SlowLog fetch) {

  /** The maximum number of characters of a request's body that are logged. */
  private static final int SOURCE_CHARACTERS = 10_000;

  static SearchSlowLog of(Map<String, String> settings) {
    return new SearchSlowLog(SlowLog.of(Phase.QUERY, settings), SlowLog.of(Phase.FETCH, settings));
  }

  static String details(ShardSearchRequest request, ShardSearchResult found) {
    SearchRequest search = request.search();
    return "total_hits["
        + hits(found)
        + "], stats["
        + String.join(",", search.scope().groups())
        + "], parameters"
        + new TreeMap<>(search.origin().parameters())
        + ", source["
        + source(search.origin().body())
        + "]";
  }

  private static String hits(ShardSearchResult found) {
    return found.total() == ShardSearchResult.NOT_COUNTED
        ? "-1"
        : found.total() + (found.exact() ? "" : "+") + " hits";
  }

  /** The body on one line, if it is JSON. */
  private static String source(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8);
    try {
      text = Json.mapper().readTree(text).toString();
    } catch (JacksonException e) {
      // Logged unchanged.
    }
    return text.length() <= SOURCE_CHARACTERS ? text : text.substring(0, SOURCE_CHARACTERS) + "…";
  }
}
