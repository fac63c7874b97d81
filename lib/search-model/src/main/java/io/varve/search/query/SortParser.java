package io.varve.search.query;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Arr;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.json.JsonValue.Scalar;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.ValueException;
import io.varve.search.query.SortKey.Kind;
import io.varve.search.query.SortKey.NestedScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parses the sort of a body or of a URL. */
public final class SortParser {

  private SortParser() {}

  /** Parses the sort of a URL: {@code field:order,field}. */
  public static List<SortKey> parse(String text) {
    List<SortKey> keys = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      String key = one.strip();
      int colon = key.lastIndexOf(':');
      if (key.isEmpty()) {
        continue;
      }
      keys.add(
          colon < 0
              ? plain(key)
              : SortKey.by(key.substring(0, colon), descending(key.substring(colon + 1))));
    }
    return keys;
  }

  public static List<SortKey> parse(JsonValue value) {
    List<SortKey> keys = new ArrayList<>();
    if (value instanceof Arr array) {
      array.items().forEach(item -> addKeys(item, keys));
    } else {
      addKeys(value, keys);
    }
    return keys;
  }

  private static void addKeys(JsonValue value, List<SortKey> keys) {
    switch (value) {
      case Scalar scalar when scalar.value() instanceof String field -> keys.add(plain(field));
      case Obj object ->
          object.fields().forEach((field, definition) -> keys.add(key(field, definition)));
      default ->
          throw value.refused(
              "malformed sort format, either start array, start object, or an actual string");
    }
  }

  private static SortKey plain(String field) {
    return SortKey.by(field, field.equals(SortKey.SCORE));
  }

  private static SortKey key(String field, JsonValue definition) {
    return switch (definition) {
      case Scalar scalar when scalar.value() instanceof String order ->
          SortKey.by(field, descending(order));
      case Obj object -> key(field, new Fields("sort", object));
      default ->
          throw definition.refused(
              "malformed sort format, within the sort object, a field must be an order or an"
                  + " object");
    };
  }

  private static SortKey key(String field, Fields fields) {
    if (field.equals("_geo_distance") || field.equals("_geoDistance")) {
      return distance(fields);
    }
    if (field.equals("_script")) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "[_script] sorts are not offered by Varve, which has no scripts"));
    }
    String order = fields.takeString("order");
    boolean descending = order == null ? field.equals(SortKey.SCORE) : descending(order);
    SortKey.Mode mode = mode(fields.takeString("mode"));
    Object missing = fields.takeScalar("missing");
    String unmappedType = fields.takeString("unmapped_type");
    String numericType = numericType(fields.takeString("numeric_type"));
    String format = fields.takeString("format");
    NestedScope nested = nested(fields);
    fields.refuseUnknown("field_sort");
    return new SortKey(
        field,
        descending,
        mode,
        missing == null ? SortKey.MISSING_LAST : missing,
        unmappedType,
        new Kind.Values(numericType, format, nested));
  }

  private static @Nullable String numericType(@Nullable String name) {
    if (name != null && !List.of("long", "double", "date", "date_nanos").contains(name)) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "invalid value for [numeric_type], must be [long, double, date, date_nanos], got "
                  + name));
    }
    return name;
  }

  private static @Nullable NestedScope nested(Fields fields) {
    JsonValue nested = fields.take("nested");
    return nested == null ? null : nested(nested, 1);
  }

  private static NestedScope nested(JsonValue value, int depth) {
    if (!(value instanceof Obj object) || depth > 20) {
      throw value.refused("[nested] of a sort has to be an object");
    }
    Fields fields = new Fields("nested", object);
    String path = fields.takeString("path");
    JsonValue filter = fields.take("filter");
    JsonValue inner = fields.take("nested");
    int maxChildren = fields.takeInt("max_children", Integer.MAX_VALUE);
    fields.refuseUnknown();
    if (path == null) {
      throw new ApiException(ErrorBody.illegalArgument("Required [path]"));
    }
    return new NestedScope(
        path,
        filter == null ? null : QueryParser.parse(filter),
        maxChildren,
        inner == null ? null : nested(inner, depth + 1));
  }

  private static SortKey distance(Fields fields) {
    String order = fields.takeString("order");
    SortKey.Mode mode = mode(fields.takeString("mode"));
    String unit = fields.takeString("unit");
    String kind = fields.takeString("distance_type");
    GeoValidation validation = GeoValidation.of(fields.takeString("validation_method"));
    boolean ignoreUnmapped = fields.takeBoolean("ignore_unmapped", false);
    NestedScope nested = nested(fields);
    if (kind != null && !kind.equals("arc") && !kind.equals("plane")) {
      throw new ApiException(ErrorBody.illegalArgument("No geo distance for [" + kind + "]"));
    }
    if (mode == SortKey.Mode.SUM) {
      throw new ApiException(
          ErrorBody.illegalArgument("sort_mode [sum] isn't supported for sorting by geo distance"));
    }
    if (fields.rest().size() != 1) {
      throw fields
          .object()
          .refused("[_geo_distance] sorts by one field, but got " + fields.rest().keySet());
    }
    Map.Entry<String, JsonValue> only = fields.rest().entrySet().iterator().next();
    return new SortKey(
        only.getKey(),
        order != null && descending(order),
        mode,
        SortKey.MISSING_LAST,
        null,
        new Kind.Distance(
            points(only.getValue(), validation),
            DistanceUnits.metersPer(unit == null ? "m" : unit),
            "plane".equals(kind),
            ignoreUnmapped,
            nested));
  }

  /** One point, or a list of points. A list of two numbers is one point. */
  private static List<GeoPoint> points(JsonValue value, GeoValidation validation) {
    Object plain = value.plain();
    if (plain == null) {
      throw value.refused("[_geo_distance] needs a point");
    }
    try {
      return GeoPoint.parseAll(plain, validation::point);
    } catch (ValueException e) {
      throw new ApiException(e.error());
    }
  }

  private static boolean descending(String order) {
    return switch (order.toLowerCase(Locale.ROOT)) {
      case "asc" -> false;
      case "desc" -> true;
      default ->
          throw new ApiException(ErrorBody.illegalArgument("Unknown SortOrder [" + order + "]"));
    };
  }

  private static SortKey.@Nullable Mode mode(@Nullable String name) {
    return switch (name == null ? "" : name.toLowerCase(Locale.ROOT)) {
      case "" -> null;
      case "min" -> SortKey.Mode.MIN;
      case "max" -> SortKey.Mode.MAX;
      case "sum" -> SortKey.Mode.SUM;
      case "avg" -> SortKey.Mode.AVG;
      case "median" -> SortKey.Mode.MEDIAN;
      default ->
          throw new ApiException(ErrorBody.illegalArgument("Unknown SortMode [" + name + "]"));
    };
  }
}
