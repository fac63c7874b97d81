package io.varve.search.aggregation.parse;

import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.CompositeSource;
import io.varve.search.aggregation.CompositeSource.MissingOrder;
import io.varve.search.aggregation.CompositeSource.Options;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.aggregation.GeoBox;
import io.varve.search.aggregation.Interval;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Parses {@code composite}. */
final class CompositeParsers {

  private CompositeParsers() {}

  static BucketAggregation read(String type, AggregationFields fields) {
    boolean given = fields.has("sources");
    Arr array = fields.takeArray("sources");
    if (!given || array == null) {
      throw AggregationFields.illegal("Required [sources]");
    }
    if (array.items().isEmpty()) {
      throw AggregationFields.illegal("Composite [sources] cannot be null or empty");
    }
    List<CompositeSource> sources = new ArrayList<>();
    for (JsonValue item : array.items()) {
      sources.add(source(fields, item));
    }
    checkNames(sources);
    int size = fields.takeInt("size", 10);
    TermsParsers.positive("size", size, fields);
    Obj after = fields.takeObject("after");
    return new BucketAggregation.Composite(
        sources, size, after == null ? null : after(sources, after));
  }

  private static void checkNames(List<CompositeSource> sources) {
    Set<String> seen = new HashSet<>();
    Set<String> twice = new TreeSet<>();
    for (CompositeSource source : sources) {
      if (!seen.add(source.name())) {
        twice.add(source.name());
      }
    }
    if (!twice.isEmpty()) {
      throw AggregationFields.illegal(
          "Composite source names must be unique, found duplicates: " + twice);
    }
  }

  private static List<@Nullable Object> after(List<CompositeSource> sources, Obj after) {
    List<@Nullable Object> values = new ArrayList<>();
    if (after.fields().size() != sources.size()) {
      throw AggregationFields.illegal(
          "[after] has " + after.fields().size() + " value(s) but [sources] has " + sources.size());
    }
    for (CompositeSource source : sources) {
      JsonValue value = after.fields().get(source.name());
      if (!(value instanceof Scalar scalar)) {
        throw AggregationFields.illegal("Missing value for [after." + source.name() + "]");
      }
      values.add(scalar.value());
    }
    return values;
  }

  private static CompositeSource source(AggregationFields fields, JsonValue item) {
    if (!(item instanceof Obj object)
        || object.fields().size() != 1
        || !(object.fields().values().iterator().next() instanceof Obj named)
        || named.fields().size() != 1) {
      throw fields.unsupported("sources", item);
    }
    String name = object.fields().keySet().iterator().next();
    Map.Entry<String, JsonValue> only = named.fields().entrySet().iterator().next();
    if (!(only.getValue() instanceof Obj body)) {
      throw fields.unsupported("sources", only.getValue());
    }
    AggregationFields source = fields.within(only.getKey(), body);
    Options options = options(source);
    CompositeSource read =
        switch (only.getKey()) {
          case "terms" -> new CompositeSource.OfTerms(name, Sources.of(source), options);
          case "histogram" -> histogram(name, source, options);
          case "date_histogram" -> {
            Interval interval = HistogramParsers.interval(source);
            long offset = HistogramParsers.offset(source.takeString("offset"));
            yield new CompositeSource.OfDates(name, Sources.of(source), interval, offset, options);
          }
          case "geotile_grid" -> {
            int precision = GridParsers.zoom(source);
            GeoBox bounds = GridParsers.bounds(source);
            yield new CompositeSource.OfGeotile(
                name, Sources.of(source), precision, bounds, options);
          }
          default -> throw only.getValue().refused("invalid source type: " + only.getKey());
        };
    source.end("field", "order", "missing_bucket", "missing_order", "interval", "format");
    return read;
  }

  private static CompositeSource histogram(String name, AggregationFields source, Options options) {
    double interval = source.takeDouble("interval", Double.NaN);
    if (!(interval > 0)) {
      throw AggregationFields.illegal("[interval] must be greater than 0 for [histogram] source");
    }
    FieldSource field = Sources.of(source);
    return new CompositeSource.OfHistogram(name, field, interval, options);
  }

  private static Options options(AggregationFields source) {
    JsonValue order = source.take("order");
    boolean missing = source.takeBoolean("missing_bucket", false);
    String missingOrder = source.takeString("missing_order");
    if (missingOrder != null && !missing) {
      throw AggregationFields.illegal("missing_order can only be set if missing_bucket is true");
    }
    MissingOrder place =
        switch (missingOrder) {
          case null -> MissingOrder.DEFAULT;
          case "first" -> MissingOrder.FIRST;
          case "last" -> MissingOrder.LAST;
          case "default" -> MissingOrder.DEFAULT;
          default ->
              throw AggregationFields.illegal("Unknown missing_order [" + missingOrder + "]");
        };
    return new Options(order != null && Orders.descending(order), missing, place);
  }
}
