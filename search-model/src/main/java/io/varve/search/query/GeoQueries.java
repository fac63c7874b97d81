package io.varve.search.query;

import static io.varve.search.query.QueryParser.boost;
import static io.varve.search.query.QueryParser.ended;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.ValueException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queries on points. */
final class GeoQueries {

  private GeoQueries() {}

  /** The options that all of them have. */
  private record Options(boolean ignoreUnmapped, @Nullable String name, float boost) {

    static Options take(Fields fields, String query) {
      String method = fields.takeString("validation_method");
      if (method != null
          && !List.of("STRICT", "IGNORE_MALFORMED", "COERCE")
              .contains(method.toUpperCase(Locale.ROOT))) {
        throw new ApiException(
            ErrorBody.illegalArgument(
                "operator needs to be either STRICT, COERCE, or IGNORE_MALFORMED, but not ["
                    + method
                    + "]"));
      }
      // Of an older form of the index; both find the same.
      String type = fields.takeString("type");
      if (type != null && !type.equals("memory") && !type.equals("indexed")) {
        throw new ApiException(
            ErrorBody.illegalArgument("failed to parse type [" + type + "] of [" + query + "]"));
      }
      return new Options(
          fields.takeBoolean("ignore_unmapped", false),
          fields.takeString("_name"),
          QueryParser.boost(fields));
    }

    Query named(Query query) {
      return name == null ? query : new Query.Named(name, query);
    }
  }

  private static Map.Entry<String, JsonValue> field(Fields fields, String query) {
    var entries = fields.rest().entrySet().iterator();
    if (!entries.hasNext()) {
      throw fields.object().refused("failed to parse [" + query + "] query. no field given");
    }
    Map.Entry<String, JsonValue> first = entries.next();
    if (entries.hasNext()) {
      throw entries
          .next()
          .getValue()
          .refused(
              "failed to parse ["
                  + query
                  + "] query. unexpected field, was ["
                  + first.getKey()
                  + "] before");
    }
    return first;
  }

  static Query boundingBox(Fields fields) {
    Options options = Options.take(fields, "geo_bounding_box");
    Map.Entry<String, JsonValue> only = field(fields, "geo_bounding_box");
    if (!(only.getValue() instanceof Obj object)) {
      throw only.getValue().refused("failed to parse [geo_bounding_box] query. no corners given");
    }
    Fields corners = new Fields("geo_bounding_box", object);
    GeoPoint topLeft;
    GeoPoint bottomRight;
    if (object.fields().containsKey("top")) {
      topLeft = new GeoPoint(side(corners, "top"), side(corners, "left"));
      bottomRight = new GeoPoint(side(corners, "bottom"), side(corners, "right"));
    } else if (object.fields().containsKey("top_right")) {
      GeoPoint topRight = point(corners, "top_right");
      GeoPoint bottomLeft = point(corners, "bottom_left");
      topLeft = new GeoPoint(topRight.lat(), bottomLeft.lon());
      bottomRight = new GeoPoint(bottomLeft.lat(), topRight.lon());
    } else {
      topLeft = point(corners, "top_left");
      bottomRight = point(corners, "bottom_right");
    }
    corners.end();
    return options.named(
        new GeoQuery.BoundingBox(
            only.getKey(), topLeft, bottomRight, options.ignoreUnmapped, options.boost));
  }

  static Query distance(Fields fields) {
    Options options = Options.take(fields, "geo_distance");
    String distance = fields.takeString("distance");
    String unit = fields.takeString("unit");
    String kind = fields.takeString("distance_type");
    if (kind != null && !kind.equals("arc") && !kind.equals("plane")) {
      throw new ApiException(ErrorBody.illegalArgument("No geo distance for [" + kind + "]"));
    }
    if (distance == null) {
      throw fields.object().refused("geo_distance requires 'distance' to be specified");
    }
    double meters = Distances.meters(distance, unit == null ? "m" : unit);
    if (!(meters > 0)) {
      throw new ApiException(ErrorBody.illegalArgument("distance must be greater than zero"));
    }
    Map.Entry<String, JsonValue> only = field(fields, "geo_distance");
    return options.named(
        new GeoQuery.Distance(
            only.getKey(), parsed(only.getValue()), meters, options.ignoreUnmapped, options.boost));
  }

  static Query polygon(Fields fields) {
    Options options = Options.take(fields, "geo_polygon");
    Map.Entry<String, JsonValue> only = field(fields, "geo_polygon");
    if (!(only.getValue() instanceof Obj object)) {
      throw only.getValue().refused("[geo_polygon] query malformed, no start_object after field");
    }
    Fields inner = new Fields("geo_polygon", object);
    if (!(inner.take("points") instanceof Arr array)) {
      throw object.refused("no points defined for geo_polygon query");
    }
    inner.end();
    List<GeoPoint> points = new ArrayList<>();
    array.items().forEach(item -> points.add(parsed(item)));
    if (points.size() < 3) {
      throw new ApiException(
          ErrorBody.illegalArgument("too few points defined for geo_polygon query"));
    }
    return options.named(
        new GeoQuery.Polygon(only.getKey(), points, options.ignoreUnmapped, options.boost));
  }

  @SuppressWarnings("unchecked") // an object of JSON has names as keys
  static Query shape(Fields fields) {
    float boost = boost(fields);
    boolean ignoreUnmapped = fields.takeBoolean("ignore_unmapped", false);
    String name = fields.takeString("_name");
    Map.Entry<String, JsonValue> only = field(fields, "geo_shape");
    if (!(only.getValue() instanceof Obj object)) {
      throw only.getValue().refused("[geo_shape] query malformed, no shape given");
    }
    Fields inner = new Fields("geo_shape", object);
    if (inner.take("indexed_shape") != null) {
      throw new ApiException(ErrorBody.illegalArgument("[indexed_shape] is not offered by Varve"));
    }
    JsonValue shape = inner.take("shape");
    if (!(shape instanceof Obj geoJson)) {
      throw object.refused("[geo_shape] requires a [shape]");
    }
    Query.Relation relation = TermQueries.relation(inner.takeString("relation"), "geo_shape");
    Query query =
        ended(
            inner,
            new GeoQuery.Shape(
                only.getKey(),
                (Map<String, Object>) geoJson.plain(),
                relation,
                ignoreUnmapped,
                boost));
    return name == null ? query : new Query.Named(name, query);
  }

  private static double side(Fields corners, String name) {
    return corners.takeDouble(name, Double.NaN);
  }

  private static GeoPoint point(Fields corners, String name) {
    JsonValue value = corners.take(name);
    if (value == null) {
      throw corners.object().refused("failed to parse bounding box: [" + name + "] is missing");
    }
    return parsed(value);
  }

  static GeoPoint parsed(JsonValue value) {
    Object plain = value.plain();
    if (plain == null) {
      throw value.refused("geo_point expected");
    }
    try {
      return GeoPoint.parse(plain);
    } catch (ValueException e) {
      throw new ApiException(e.error());
    }
  }
}
