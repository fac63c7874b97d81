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
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses queries on points. */
final class GeoQueries {

  private GeoQueries() {}

  /** The options that all queries on points have. */
  private record Options(
      GeoValidation validation, boolean ignoreUnmapped, @Nullable String name, float boost) {

    static Options take(Fields fields, String query) {
      GeoValidation method = GeoValidation.of(fields.takeString("validation_method"));
      // An option for old index formats, which has no effect on the hits.
      String type = fields.takeString("type");
      if (type != null && !type.equals("memory") && !type.equals("indexed")) {
        throw new ApiException(
            ErrorBody.illegalArgument("failed to parse type [" + type + "] of [" + query + "]"));
      }
      return new Options(
          method,
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
    return options.named(options.validation.query(() -> box(only.getKey(), object, options)));
  }

  private static Query box(String field, Obj object, Options options) {
    Fields corners = new Fields("geo_bounding_box", object);
    GeoValidation validation = options.validation;
    GeoPoint topLeft;
    GeoPoint bottomRight;
    if (object.fields().containsKey("top")) {
      topLeft = validation.point(List.of(side(corners, "left"), side(corners, "top")));
      bottomRight = validation.point(List.of(side(corners, "right"), side(corners, "bottom")));
    } else if (object.fields().containsKey("top_right")) {
      GeoPoint topRight = point(corners, "top_right", validation);
      GeoPoint bottomLeft = point(corners, "bottom_left", validation);
      topLeft = new GeoPoint(topRight.lat(), bottomLeft.lon());
      bottomRight = new GeoPoint(bottomLeft.lat(), topRight.lon());
    } else {
      topLeft = point(corners, "top_left", validation);
      bottomRight = point(corners, "bottom_right", validation);
    }
    corners.end();
    return new GeoQuery.BoundingBox(
        field, topLeft, bottomRight, options.ignoreUnmapped, options.boost);
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
    double meters = DistanceUnits.meters(distance, unit == null ? "m" : unit);
    if (!(meters > 0)) {
      throw new ApiException(ErrorBody.illegalArgument("distance must be greater than zero"));
    }
    Map.Entry<String, JsonValue> only = field(fields, "geo_distance");
    return options.named(
        options.validation.query(() ->
            new GeoQuery.Distance(
                only.getKey(),
                options.validation.point(only.getValue()),
                meters,
                options.ignoreUnmapped,
                options.boost)));
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
    if (array.items().size() < 3) {
      throw new ApiException(
          ErrorBody.illegalArgument("too few points defined for geo_polygon query"));
    }
    return options.named(
        options.validation.query(() ->
            new GeoQuery.Polygon(
                only.getKey(),
                array.items().stream().map(options.validation::point).toList(),
                options.ignoreUnmapped,
                options.boost)));
  }

  @SuppressWarnings("unchecked") // JSON objects have string keys
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

  private static GeoPoint point(Fields corners, String name, GeoValidation validation) {
    JsonValue value = corners.take(name);
    if (value == null) {
      throw corners.object().refused("failed to parse bounding box: [" + name + "] is missing");
    }
    return validation.point(value);
  }
}
