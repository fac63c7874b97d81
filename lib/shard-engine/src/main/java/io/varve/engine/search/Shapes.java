package io.varve.engine.search;

import io.varve.search.query.DistanceUnits;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.geo.Circle;
import org.apache.lucene.geo.LatLonGeometry;
import org.apache.lucene.geo.Line;
import org.apache.lucene.geo.Point;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.geo.Rectangle;
import org.jspecify.annotations.Nullable;

/** Parses GeoJSON, including OpenSearch's extensions {@code envelope} and {@code circle}. */
final class Shapes {

  private Shapes() {}

  static LatLonGeometry[] parse(Map<String, Object> shape) throws ParseException {
    List<LatLonGeometry> into = new ArrayList<>();
    add(shape, into);
    if (into.isEmpty()) {
      throw new ParseException("an empty shape", 0);
    }
    return into.toArray(LatLonGeometry[]::new);
  }

  private static void add(Map<?, ?> shape, List<LatLonGeometry> into) throws ParseException {
    String type = String.valueOf(shape.get("type")).toLowerCase(Locale.ROOT);
    if (type.equals("geometrycollection")) {
      for (Object one : list(shape.get("geometries"))) {
        if (!(one instanceof Map<?, ?> inner)) {
          throw new ParseException("a geometry that is no object", 0);
        }
        add(inner, into);
      }
      return;
    }
    List<?> coordinates = list(shape.get("coordinates"));
    switch (type) {
      case "point" -> into.add(new Point(lat(coordinates), lon(coordinates)));
      case "multipoint" -> {
        for (Object one : coordinates) {
          into.add(new Point(lat(list(one)), lon(list(one))));
        }
      }
      case "linestring" -> into.add(line(coordinates));
      case "multilinestring" -> {
        for (Object one : coordinates) {
          into.add(line(list(one)));
        }
      }
      case "polygon" -> into.add(polygon(coordinates));
      case "multipolygon" -> {
        for (Object one : coordinates) {
          into.add(polygon(list(one)));
        }
      }
      case "envelope" -> into.add(envelope(coordinates));
      case "circle" -> into.add(circle(coordinates, shape.get("radius")));
      default -> throw new ParseException("unknown geo_shape type [" + type + "]", 0);
    }
  }

  private static Line line(List<?> points) throws ParseException {
    return new Line(lats(points), lons(points));
  }

  private static Polygon polygon(List<?> rings) throws ParseException {
    if (rings.isEmpty()) {
      throw new ParseException("a polygon without a ring", 0);
    }
    Polygon[] holes = new Polygon[rings.size() - 1];
    for (int i = 1; i < rings.size(); i++) {
      List<?> ring = list(rings.get(i));
      holes[i - 1] = new Polygon(lats(ring), lons(ring));
    }
    List<?> outer = list(rings.getFirst());
    return new Polygon(lats(outer), lons(outer), holes);
  }

  private static Rectangle envelope(List<?> corners) throws ParseException {
    if (corners.size() != 2) {
      throw new ParseException("an envelope has two corners, top left and bottom right", 0);
    }
    List<?> topLeft = list(corners.getFirst());
    List<?> bottomRight = list(corners.getLast());
    return new Rectangle(lat(bottomRight), lat(topLeft), lon(topLeft), lon(bottomRight));
  }

  private static Circle circle(List<?> center, @Nullable Object radius) throws ParseException {
    if (radius == null) {
      throw new ParseException("a circle without a radius", 0);
    }
    double meters = DistanceUnits.meters(radius.toString(), "m");
    return new Circle(lat(center), lon(center), meters);
  }

  private static double[] lats(List<?> points) throws ParseException {
    double[] lats = new double[points.size()];
    for (int i = 0; i < lats.length; i++) {
      lats[i] = lat(list(points.get(i)));
    }
    return lats;
  }

  private static double[] lons(List<?> points) throws ParseException {
    double[] lons = new double[points.size()];
    for (int i = 0; i < lons.length; i++) {
      lons[i] = lon(list(points.get(i)));
    }
    return lons;
  }

  private static double lon(List<?> point) throws ParseException {
    return number(point, 0);
  }

  private static double lat(List<?> point) throws ParseException {
    return number(point, 1);
  }

  private static double number(List<?> point, int at) throws ParseException {
    if (point.size() > at && point.get(at) instanceof Number number) {
      return number.doubleValue();
    }
    throw new ParseException("a position needs a longitude and a latitude", 0);
  }

  private static List<?> list(@Nullable Object value) throws ParseException {
    if (value instanceof List<?> list) {
      return list;
    }
    throw new ParseException("expected a list of coordinates", 0);
  }
}
