package io.varve.search;

import io.varve.events.Json;
import io.varve.search.SearchReducer.IndexHit;
import io.varve.search.SearchReducer.Reduced;
import io.varve.search.aggregation.result.ResultWriter;
import io.varve.search.aggregation.result.Results;
import io.varve.search.mapping.Values;
import io.varve.search.source.SourceFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;

/** Writes the answer of a search; sources go to the stream as the bytes that they are. */
public final class SearchResponseWriter {

  /**
   * How the shards did.
   *
   * @param total shards asked, failed ones too
   * @param visibleSeqNos up to which each shard showed everything, by index and number; empty where
   *     that is not told
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

  private static final Set<String> BEFORE_SORT = Set.of("_ignored", "fields", "highlight");

  private final SearchRequest request;
  private final boolean totalAsNumber;
  private final Map<String, Object> head = new LinkedHashMap<>();
  private final Map<String, Object> tail = new LinkedHashMap<>();
  private final boolean typedKeys;

  /**
   * @param totalAsNumber write the total as a bare number ({@code rest_total_hits_as_int})
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

  /** Puts a field before all others. */
  public SearchResponseWriter first(String name, Object value) {
    head.put(name, value);
    return this;
  }

  /** Puts a field behind all others. */
  public SearchResponseWriter last(String name, Object value) {
    tail.put(name, value);
    return this;
  }

  /** Writes the whole answer and leaves the stream open. */
  public void write(Reduced reduced, Shards shards, long tookMillis, OutputStream out)
      throws IOException {
    try (JsonGenerator json = generator(out)) {
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
      writeHits(reduced, json, out);
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

  private static JsonGenerator generator(OutputStream out) {
    return Json.mapper()
        .writer()
        .without(StreamWriteFeature.AUTO_CLOSE_TARGET)
        .without(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
        .createGenerator(out);
  }

  /** Writes the hits alone, with their total, and leaves the stream open. */
  public void writeHits(Reduced reduced, OutputStream out) throws IOException {
    try (JsonGenerator json = generator(out)) {
      writeHits(reduced, json, out);
    }
  }

  private void writeHits(Reduced reduced, JsonGenerator json, OutputStream out) throws IOException {
    json.writeStartObject();
    writeTotal(reduced, json);
    json.writeName("max_score");
    writeScore(reduced.maxScore(), json);
    json.writeName("hits");
    json.writeStartArray();
    for (IndexHit hit : reduced.hits()) {
      writeHit(hit, json, out);
    }
    json.writeEndArray();
    json.writeEndObject();
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

  private void writeTotal(Reduced reduced, JsonGenerator json) {
    if (reduced.total() == ShardSearchResult.NOT_COUNTED) {
      if (totalAsNumber) {
        json.writeNumberProperty("total", ShardSearchResult.NOT_COUNTED);
      }
      return;
    }
    if (totalAsNumber) {
      json.writeNumberProperty("total", reduced.total());
      return;
    }
    json.writeName("total");
    json.writeStartObject();
    json.writeNumberProperty("value", reduced.total());
    json.writeStringProperty("relation", reduced.exact() ? "eq" : "gte");
    json.writeEndObject();
  }

  private void writeHit(IndexHit indexHit, JsonGenerator json, OutputStream out)
      throws IOException {
    ShardHit hit = indexHit.hit();
    json.writeStartObject();
    if (request.parts().extras().explain()) {
      json.writeStringProperty("_shard", "[" + indexHit.index() + "][" + indexHit.shard() + "]");
      json.writeStringProperty("_node", indexHit.node());
    }
    json.writeStringProperty("_index", indexHit.index());
    if (request.parts().extras().stored().enabled()) {
      json.writeStringProperty("_id", hit.id());
    }
    if (request.parts().version()) {
      json.writeNumberProperty("_version", hit.stamp().version());
    }
    if (request.parts().seqNoPrimaryTerm()) {
      json.writeNumberProperty("_seq_no", hit.stamp().seqNo());
      json.writeNumberProperty("_primary_term", hit.stamp().primaryTerm());
    }
    json.writeName("_score");
    writeScore(hit.score(), json);
    String routing = hit.routing();
    if (routing != null && request.parts().extras().stored().enabled()) {
      json.writeStringProperty("_routing", routing);
    }
    byte[] source = hit.source();
    SourceFilter filter = request.parts().source();
    if (source != null && filter.enabled()) {
      json.writeName("_source");
      writeRaw(filter.apply(source), json, out);
    }
    writeParts(hit, true, json, out);
    List<@Nullable Object> shown = hit.extras().shownSortValues();
    List<@Nullable Object> values = shown == null ? hit.sortValues() : shown;
    if (!values.isEmpty()) {
      json.writeName("sort");
      json.writeStartArray();
      values.forEach(value -> writeSortValue(value, json));
      json.writeEndArray();
    }
    writeParts(hit, false, json, out);
    json.writeEndObject();
  }

  /** Of what the shard wrote, values and fragments stand before the sort values. */
  private static void writeParts(ShardHit hit, boolean before, JsonGenerator json, OutputStream out)
      throws IOException {
    for (ShardHit.Part part : hit.extras().parts()) {
      if (BEFORE_SORT.contains(part.name()) == before) {
        json.writeName(part.name());
        writeRaw(part.json(), json, out);
      }
    }
  }

  /** The empty raw value makes the generator write what must stand before a value. */
  private static void writeRaw(byte[] value, JsonGenerator json, OutputStream out)
      throws IOException {
    json.writeRawValue("");
    json.flush();
    out.write(value);
  }

  private static void writeScore(float score, JsonGenerator json) {
    if (Float.isNaN(score)) {
      json.writeNull();
    } else {
      json.writeNumber(score);
    }
  }

  private static void writeSortValue(@Nullable Object value, JsonGenerator json) {
    switch (value) {
      case null -> json.writeNull();
      case Long number -> json.writeNumber(number);
      case Double number when Double.isFinite(number) -> json.writeNumber(number);
      case Float number when Float.isFinite(number) -> json.writeNumber(number);
      case BigInteger number -> json.writeNumber(number);
      case Boolean truth -> json.writeBoolean(truth);
      case InetAddress address -> json.writeString(Values.addressText(address));
      // Infinity, which stands for a missing value, is no number of JSON.
      default -> json.writeString(value.toString());
    }
  }
}
