package io.varve.search.hits;

import io.varve.events.Json;
import io.varve.search.mapping.Values;
import io.varve.search.query.HitsRequest;
import io.varve.search.source.SourceFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;

/**
 * Writes the {@code hits} object of a response. Sources are copied to the stream as bytes, without
 * parsing them.
 *
 * @param totalAsNumber write the total as a plain number ({@code rest_total_hits_as_int})
 */
public record HitsWriter(HitsRequest request, boolean totalAsNumber) {

  private static final Set<String> BEFORE_SORT = Set.of("_ignored", "fields", "highlight");

  /** A generator for {@link #write(SearchHits, JsonGenerator, OutputStream)} on that stream. */
  public static JsonGenerator generator(OutputStream out) {
    return Json.mapper()
        .writer()
        .without(StreamWriteFeature.AUTO_CLOSE_TARGET)
        .without(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
        .createGenerator(out);
  }

  /** Writes the hits and leaves the stream open. */
  public void write(SearchHits hits, OutputStream out) throws IOException {
    try (JsonGenerator json = generator(out)) {
      write(hits, json, out);
    }
  }

  /**
   * @param out the stream that the generator writes to
   */
  public void write(SearchHits hits, JsonGenerator json, OutputStream out) throws IOException {
    json.writeStartObject();
    writeTotal(hits, json);
    json.writeName("max_score");
    writeScore(hits.maxScore(), json);
    json.writeName("hits");
    json.writeStartArray();
    for (IndexHit hit : hits.hits()) {
      writeHit(hit, json, out);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private void writeTotal(SearchHits hits, JsonGenerator json) {
    if (hits.total() == SearchHits.NOT_COUNTED) {
      if (totalAsNumber) {
        json.writeNumberProperty("total", SearchHits.NOT_COUNTED);
      }
      return;
    }
    if (totalAsNumber) {
      json.writeNumberProperty("total", hits.total());
      return;
    }
    json.writeName("total");
    json.writeStartObject();
    json.writeNumberProperty("value", hits.total());
    json.writeStringProperty("relation", hits.exact() ? "eq" : "gte");
    json.writeEndObject();
  }

  private void writeHit(IndexHit indexHit, JsonGenerator json, OutputStream out)
      throws IOException {
    ShardHit hit = indexHit.hit();
    json.writeStartObject();
    writeMetadata(indexHit, json);
    byte[] source = hit.source();
    SourceFilter filter = request.parts().source();
    if (source != null && filter.enabled()) {
      json.writeName("_source");
      writeRaw(filter.apply(source), json, out);
    }
    writeParts(hit, true, json, out);
    writeSortValues(hit, json);
    writeParts(hit, false, json, out);
    json.writeEndObject();
  }

  private void writeMetadata(IndexHit indexHit, JsonGenerator json) {
    ShardHit hit = indexHit.hit();
    if (request.parts().extras().explain()) {
      json.writeStringProperty("_shard", "[" + indexHit.index() + "][" + indexHit.shard() + "]");
      json.writeStringProperty("_node", indexHit.node());
    }
    json.writeStringProperty("_index", indexHit.index());
    boolean stored = request.parts().extras().stored().enabled();
    if (stored) {
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
    if (routing != null && stored) {
      json.writeStringProperty("_routing", routing);
    }
  }

  private static void writeSortValues(ShardHit hit, JsonGenerator json) {
    List<@Nullable Object> shown = hit.extras().shownSortValues();
    List<@Nullable Object> values = shown == null ? hit.sortValues() : shown;
    if (!values.isEmpty()) {
      json.writeName("sort");
      json.writeStartArray();
      values.forEach(value -> writeSortValue(value, json));
      json.writeEndArray();
    }
  }

  /** Field values and fragments are written before the sort values, all other parts after. */
  private static void writeParts(ShardHit hit, boolean before, JsonGenerator json, OutputStream out)
      throws IOException {
    for (ShardHit.Part part : hit.extras().parts()) {
      if (BEFORE_SORT.contains(part.name()) == before) {
        json.writeName(part.name());
        writeRaw(part.json(), json, out);
      }
    }
  }

  /** The empty raw value makes the generator write the separator that precedes a value. */
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
      // Infinity, the sort value of a missing field, is not a JSON number.
      default -> json.writeString(value.toString());
    }
  }
}
