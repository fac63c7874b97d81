package io.varve.search.query;

import static io.varve.search.query.QueryParser.boost;
import static io.varve.search.query.QueryParser.ended;
import static io.varve.search.query.QueryParser.onlyField;

import io.varve.rpc.ApiException;
import io.varve.search.json.Fields;
import io.varve.search.json.JsonValue;
import io.varve.search.json.JsonValue.Obj;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.ValueException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The queries on points. */
final class GeoQueries {

  private GeoQueries() {}

  static Query boundingBox(Fields fields) {
    float boost = boost(fields);
    Map.Entry<String, JsonValue> only = onlyField(fields, "geo_bounding_box");
    if (!(only.getValue() instanceof Obj object)) {
      throw only.getValue().refused("[geo_bounding_box] malformed, no corners given");
    }
    Fields corners = new Fields("geo_bounding_box", object);
    Query box;
    if (object.fields().containsKey("top")) {
      box =
          new Query.GeoBoundingBox(
              only.getKey(),
              new GeoPoint(side(corners, "top"), side(corners, "left")),
              new GeoPoint(side(corners, "bottom"), side(corners, "right")),
              boost);
    } else if (object.fields().containsKey("top_right")) {
      GeoPoint topRight = point(corners, "top_right");
      GeoPoint bottomLeft = point(corners, "bottom_left");
      box =
          new Query.GeoBoundingBox(
              only.getKey(),
              new GeoPoint(topRight.lat(), bottomLeft.lon()),
              new GeoPoint(bottomLeft.lat(), topRight.lon()),
              boost);
    } else {
      box =
          new Query.GeoBoundingBox(
              only.getKey(), point(corners, "top_left"), point(corners, "bottom_right"), boost);
    }
    return ended(corners, box);
  }

  static Query distance(Fields fields) {
    float boost = boost(fields);
    String distance = fields.takeString("distance");
    if (distance == null) {
      throw fields.object().refused("geo_distance requires 'distance' to be specified");
    }
    double meters = meters(distance, fields.object());
    Map.Entry<String, JsonValue> only = onlyField(fields, "geo_distance");
    return new Query.GeoDistance(only.getKey(), parsed(only.getValue()), meters, boost);
  }

  private static double side(Fields corners, String name) {
    return corners.takeFloat(name, Float.NaN);
  }

  private static GeoPoint point(Fields corners, String name) {
    JsonValue value = corners.take(name);
    if (value == null) {
      throw corners.object().refused("failed to parse bbox: [" + name + "] is missing");
    }
    return parsed(value);
  }

  private static GeoPoint parsed(JsonValue value) {
    Object plain = value.plain();
    if (plain == null) {
      throw value.refused("geo point expected");
    }
    try {
      return GeoPoint.parse(plain);
    } catch (ValueException e) {
      throw new ApiException(e.error());
    }
  }

  private static double meters(String text, JsonValue at) {
    String lower = text.strip().toLowerCase(Locale.ROOT);
    int unit = lower.length();
    while (unit > 0 && Character.isLetter(lower.charAt(unit - 1))) {
      unit--;
    }
    Double factor = factor(lower.substring(unit));
    try {
      double meters = factor == null ? -1 : factor * Double.parseDouble(lower.substring(0, unit));
      if (meters > 0 && Double.isFinite(meters)) {
        return meters;
      }
    } catch (NumberFormatException e) {
      throw at.refused("failed to parse distance [" + text + "]: " + e.getMessage());
    }
    throw at.refused("distance must be greater than zero and in a known unit, was [" + text + "]");
  }

  private static @Nullable Double factor(String unit) {
    return switch (unit) {
      case "", "m", "meters" -> 1.0;
      case "km", "kilometers" -> 1000.0;
      case "mi", "miles" -> 1609.344;
      case "yd", "yards" -> 0.9144;
      case "ft", "feet" -> 0.3048;
      case "in", "inch" -> 0.0254;
      case "cm", "centimeters" -> 0.01;
      case "mm", "millimeters" -> 0.001;
      case "nm", "nmi", "nauticalmiles" -> 1852.0;
      default -> null;
    };
  }
}
