package io.varve.search.aggregation.parse;

import io.varve.rpc.ApiException;
import io.varve.search.aggregation.BucketAggregation;
import io.varve.search.aggregation.BucketAggregation.Span;
import io.varve.search.aggregation.FieldSource;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.ValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Parses ranges. */
final class RangeParsers {

  private RangeParsers() {}

  static BucketAggregation read(String type, AggregationFields fields) {
    boolean keyed = fields.takeBoolean("keyed", false);
    List<Span> spans = spans(fields);
    return switch (type) {
      case "range" -> new BucketAggregation.Range(Sources.of(fields), spans, keyed);
      case "date_range" -> new BucketAggregation.DateRange(Sources.of(fields), spans, keyed);
      case "ip_range" -> new BucketAggregation.IpRange(Sources.of(fields), spans, keyed);
      default -> geoDistance(fields, spans, keyed);
    };
  }

  private static BucketAggregation geoDistance(
      AggregationFields fields, List<Span> spans, boolean keyed) {
    JsonValue origin = fields.take("origin");
    if (origin == null) {
      origin = fields.take(fields.has("center") ? "center" : "point");
    }
    if (origin == null) {
      throw AggregationFields.illegal(
          "Aggregation [" + fields.name() + "] must define an [origin].");
    }
    String unit = fields.takeString("unit");
    String distance = fields.takeString("distance_type");
    if (distance != null && !distance.equals("arc") && !distance.equals("plane")) {
      throw AggregationFields.illegal("No geo distance for [" + distance + "]");
    }
    FieldSource source = Sources.of(fields);
    return new BucketAggregation.GeoDistance(
        source,
        point(origin),
        unit == null ? 1 : metersPer(unit),
        "plane".equals(distance),
        spans,
        keyed);
  }

  private static GeoPoint point(JsonValue value) {
    Object plain = value.plain();
    try {
      return GeoPoint.parse(plain == null ? "" : plain);
    } catch (ValueException e) {
      throw new ApiException(e.error());
    }
  }

  private static double metersPer(String unit) {
    return switch (unit.toLowerCase(Locale.ROOT)) {
      case "m", "meters" -> 1;
      case "km", "kilometers" -> 1000;
      case "mi", "miles" -> 1609.344;
      case "yd", "yards" -> 0.9144;
      case "ft", "feet" -> 0.3048;
      case "in", "inch" -> 0.0254;
      case "cm", "centimeters" -> 0.01;
      case "mm", "millimeters" -> 0.001;
      case "nm", "nmi", "nauticalmiles" -> 1852;
      default -> throw AggregationFields.illegal("No distance unit match [" + unit + "]");
    };
  }

  private static List<Span> spans(AggregationFields fields) {
    Arr array = fields.takeArray("ranges");
    if (array == null || array.items().isEmpty()) {
      throw AggregationFields.illegal(
          "No [ranges] specified for the [" + fields.name() + "] aggregation");
    }
    List<Span> spans = new ArrayList<>();
    for (JsonValue item : array.items()) {
      if (!(item instanceof Obj object)) {
        throw fields.unsupported("ranges", item);
      }
      spans.add(span(fields.within("range", object), fields.type().equals("ip_range")));
    }
    return spans;
  }

  private static Span span(AggregationFields fields, boolean withMask) {
    String key = fields.takeString("key");
    Object from = fields.takeScalar("from");
    Object to = fields.takeScalar("to");
    String mask = withMask ? fields.takeString("mask") : null;
    fields.end("key", "from", "to", "mask");
    return mask == null ? new Span(key, from, to) : Addresses.masked(key, mask);
  }
}
