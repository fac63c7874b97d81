package io.varve.search.aggregation.result;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes final results as a JSON object with one member per aggregation. */
public final class ResultWriter {

  private final boolean typedKeys;
  private final boolean totalAsNumber;

  /**
   * @param typedKeys write names as {@code type#name}
   * @param totalAsNumber write totals of hits as plain numbers
   */
  public ResultWriter(boolean typedKeys, boolean totalAsNumber) {
    this.typedKeys = typedKeys;
    this.totalAsNumber = totalAsNumber;
  }

  /** Writes the object, after its field name. */
  public void write(Results results, JsonGenerator json) {
    json.writeStartObject();
    members(results, json);
    json.writeEndObject();
  }

  private void members(Results results, JsonGenerator json) {
    for (Results.Named named : results.list()) {
      json.writeName(typedKeys ? named.result().typeName() + "#" + named.name() : named.name());
      json.writeStartObject();
      Map<String, @Nullable Object> meta = named.meta();
      if (meta != null) {
        json.writeName("meta");
        value(meta, json);
      }
      body(named.result(), json);
      json.writeEndObject();
    }
  }

  private void body(Result result, JsonGenerator json) {
    switch (result) {
      case Result.Metrics metrics -> fields(metrics.fields(), json);
      case Result.Single single -> {
        json.writeNumberProperty("doc_count", single.docCount());
        members(single.aggregations(), json);
      }
      case Result.Buckets buckets -> buckets(buckets, json);
      case Result.Hits hits -> hits.hits().write(totalAsNumber, json);
    }
  }

  private void buckets(Result.Buckets result, JsonGenerator json) {
    fields(result.head(), json);
    json.writeName("buckets");
    if (result.keyed()) {
      json.writeStartObject();
    } else {
      json.writeStartArray();
    }
    for (Result.Bucket bucket : result.buckets()) {
      if (result.keyed()) {
        json.writeName(bucket.name());
      }
      json.writeStartObject();
      fields(bucket.fields(), json);
      members(bucket.aggregations(), json);
      json.writeEndObject();
    }
    if (result.keyed()) {
      json.writeEndObject();
    } else {
      json.writeEndArray();
    }
    fields(result.tail(), json);
  }

  private static void fields(Map<String, ? extends @Nullable Object> fields, JsonGenerator json) {
    fields.forEach((name, value) -> {
      json.writeName(name);
      value(value, json);
    });
  }

  private static void value(@Nullable Object value, JsonGenerator json) {
    switch (value) {
      case null -> json.writeNull();
      case Map<?, ?> map -> {
        json.writeStartObject();
        map.forEach((name, inner) -> {
          json.writeName(String.valueOf(name));
          value(inner, json);
        });
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(inner -> value(inner, json));
        json.writeEndArray();
      }
      case Long number -> json.writeNumber(number);
      case Integer number -> json.writeNumber(number);
      case Double number when Double.isFinite(number) -> json.writeNumber(number);
      case BigInteger number -> json.writeNumber(number);
      case Boolean truth -> json.writeBoolean(truth);
      // JSON has no infinity: it is written as a string.
      default -> json.writeString(value.toString());
    }
  }
}
