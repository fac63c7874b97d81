package io.varve.search;

import io.varve.search.SearchReducer.Reduced;
import io.varve.search.aggregation.result.ResultWriter;
import io.varve.search.aggregation.result.Results;
import io.varve.search.hits.HitsWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/**
 * Writes the response of a search. Sources are copied to the stream as bytes, without parsing them.
 */
public final class SearchResponseWriter {

  /**
   * The {@code _shards} section.
   *
   * @param total number of searched shards, including failed ones
   * @param visibleSeqNos the sequence number up to which each shard was searched, by index and
   *     shard number; empty to omit them
   */
  public record Shards(
      int total,
      int skipped,
      List<ShardFailure> failures,
      Map<String, Map<String, Long>> visibleSeqNos) {
    public Shards {
      failures = List.copyOf(failures);
    }

    public Shards(int total, int skipped, List<ShardFailure> failures) {
      this(total, skipped, failures, Map.of());
    }
  }

  private final SearchRequest request;
  private final boolean totalAsNumber;
  private final Map<String, Object> head = new LinkedHashMap<>();
  private final Map<String, Object> tail = new LinkedHashMap<>();
  private final boolean typedKeys;

  /**
   * @param totalAsNumber write the total as a plain number ({@code rest_total_hits_as_int})
   */
  public SearchResponseWriter(SearchRequest request, boolean totalAsNumber) {
    this(request, totalAsNumber, false);
  }

  /**
   * @param typedKeys write the names of aggregations as {@code type#name}
   */
  public SearchResponseWriter(SearchRequest request, boolean totalAsNumber, boolean typedKeys) {
    this.request = request;
    this.totalAsNumber = totalAsNumber;
    this.typedKeys = typedKeys;
  }

  /** Adds a field before all others. */
  public SearchResponseWriter first(String name, Object value) {
    head.put(name, value);
    return this;
  }

  /** Adds a field after all others. */
  public SearchResponseWriter last(String name, Object value) {
    tail.put(name, value);
    return this;
  }

  /** Writes the whole response and leaves the stream open. */
  public void write(Reduced reduced, Shards shards, long tookMillis, OutputStream out)
      throws IOException {
    try (JsonGenerator json = HitsWriter.generator(out)) {
      json.writeStartObject();
      head.forEach((name, value) -> {
        json.writeName(name);
        json.writePOJO(value);
      });
      json.writeNumberProperty("took", tookMillis);
      json.writeBooleanProperty("timed_out", reduced.timedOut());
      if (request.limits().terminateAfter() > 0) {
        json.writeBooleanProperty("terminated_early", reduced.terminatedEarly());
      }
      writeShards(shards, json);
      json.writeName("hits");
      new HitsWriter(request.hits(), totalAsNumber).write(reduced.found(), json, out);
      Results aggregations = reduced.aggregations();
      if (aggregations != null) {
        json.writeName("aggregations");
        new ResultWriter(typedKeys, totalAsNumber).write(aggregations, json);
      }
      tail.forEach((name, value) -> {
        json.writeName(name);
        json.writePOJO(value);
      });
      json.writeEndObject();
    }
  }

  private static void writeShards(Shards shards, JsonGenerator json) {
    json.writeName("_shards");
    json.writeStartObject();
    json.writeNumberProperty("total", shards.total);
    json.writeNumberProperty("successful", shards.total - shards.failures.size());
    json.writeNumberProperty("skipped", shards.skipped);
    json.writeNumberProperty("failed", shards.failures.size());
    if (!shards.failures.isEmpty()) {
      json.writeName("failures");
      json.writePOJO(shards.failures.stream().map(ShardFailure::toMap).toList());
    }
    if (!shards.visibleSeqNos.isEmpty()) {
      json.writeName("visible_seq_no");
      json.writePOJO(shards.visibleSeqNos);
    }
    json.writeEndObject();
  }
}
