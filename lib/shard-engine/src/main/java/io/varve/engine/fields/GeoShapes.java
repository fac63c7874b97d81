package io.varve.engine.fields;

import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.ValueException;
import java.io.IOException;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.LatLonShape;
import org.apache.lucene.geo.LatLonGeometry;
import org.apache.lucene.geo.Line;
import org.apache.lucene.geo.Point;
import org.apache.lucene.geo.Polygon;
import org.apache.lucene.geo.Rectangle;
import org.apache.lucene.geo.SimpleWKTShapeParser;
import org.jspecify.annotations.Nullable;

/** Converts geo shapes from GeoJSON or well-known text to Lucene's triangles. */
public final class GeoShapes {

  private GeoShapes() {}

  static boolean add(LeafField field, Object value, DocumentFields into) {
    if (value instanceof List<?> list) {
      boolean any = false;
      for (Object one : list) {
        any |= one != null && add(field, one, into);
      }
      return any;
    }
    List<LatLonGeometry> shapes = parse(value);
    if (!field.indexed()) {
      return false;
    }
    for (LatLonGeometry shape : shapes) {
      for (Field part : triangles(field.path(), shape)) {
        into.add(part);
      }
    }
    return true;
  }

  private static Field[] triangles(String path, LatLonGeometry shape) {
    try {
      return switch (shape) {
        case Point point -> LatLonShape.createIndexableFields(path, point.getLat(), point.getLon());
        case Line line -> LatLonShape.createIndexableFields(path, line);
        case Polygon polygon -> LatLonShape.createIndexableFields(path, polygon);
        case Rectangle box -> LatLonShape.createIndexableFields(path, polygon(box));
        default -> throw new IllegalArgumentException("can't index a " + shape.getClass());
      };
    } catch (IllegalArgumentException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  private static Polygon polygon(Rectangle box) {
    if (box.minLon > box.maxLon) {
      throw refused("a shape across the date line must be split there");
    }
    return new Polygon(
        new double[] {box.minLat, box.minLat, box.maxLat, box.maxLat, box.minLat},
        new double[] {box.minLon, box.maxLon, box.maxLon, box.minLon, box.minLon});
  }

  /** The parts of a shape: usually one, more for a collection. */
  public static List<LatLonGeometry> parse(Object value) {
    try {
      List<LatLonGeometry> shapes = new ArrayList<>();
      switch (value) {
        case Map<?, ?> map -> addJson(map, shapes);
        case String text -> addParsed(SimpleWKTShapeParser.parse(text), shapes);
        default -> throw refused("shape must be an object or well-known text");
      }
      return shapes;
    } catch (ParseException | IOException | IllegalArgumentException | ClassCastException e) {
      throw refused(String.valueOf(e.getMessage()));
    }
  }

  private static void addParsed(@Nullable Object parsed, List<LatLonGeometry> shapes) {
    switch (parsed) {
      case null -> {}
      case double[] point -> shapes.add(new Point(point[1], point[0]));
      case double[][] points -> {
        for (double[] point : points) {
          shapes.add(new Point(point[1], point[0]));
        }
      }
      case LatLonGeometry shape -> shapes.add(shape);
      case Object[] several -> {
        for (Object one : several) {
          addParsed(one, shapes);
        }
      }
      default -> throw refused("can't index a " + parsed.getClass().getSimpleName());
    }
  }

  private static void addJson(Map<?, ?> json, List<LatLonGeometry> shapes) {
    Object type = json.get("type");
    if (type == null) {
      throw refused("shape type not included");
    }
    String name = type.toString().toLowerCase(Locale.ROOT);
    if (name.equals("geometrycollection")) {
      for (Object one : list(json.get("geometries"))) {
        addJson((Map<?, ?>) one, shapes);
      }
      return;
    }
    List<?> coordinates = list(json.get("coordinates"));
    switch (name) {
      case "point" -> shapes.add(point(coordinates));
      case "multipoint" -> coordinates.forEach(one -> shapes.add(point(list(one))));
      case "linestring" -> shapes.add(line(coordinates));
      case "multilinestring" -> coordinates.forEach(one -> shapes.add(line(list(one))));
      case "polygon" -> shapes.add(polygon(coordinates));
      case "multipolygon" -> coordinates.forEach(one -> shapes.add(polygon(list(one))));
      case "envelope" -> shapes.add(envelope(coordinates));
      default -> throw refused("unknown geo_shape [" + type + "]");
    }
  }

  private static List<?> list(@Nullable Object value) {
    if (value instanceof List<?> list) {
      return list;
    }
    throw refused("invalid coordinates: [" + value + "]");
  }

  private static double number(@Nullable Object value) {
    if (value instanceof Number number) {
      return number.doubleValue();
    }
    throw refused("geo coordinates must be numbers");
  }

  private static Point point(List<?> coordinates) {
    if (coordinates.size() < 2) {
      throw refused("a point needs a longitude and a latitude");
    }
    return new Point(number(coordinates.get(1)), number(coordinates.get(0)));
  }

  private static double[] column(List<?> points, int at) {
    return points.stream().mapToDouble(one -> number(list(one).get(at))).toArray();
  }

  private static Line line(List<?> points) {
    return new Line(column(points, 1), column(points, 0));
  }

  private static Polygon polygon(List<?> rings) {
    if (rings.isEmpty()) {
      throw refused("a polygon needs a ring");
    }
    Polygon[] holes = new Polygon[rings.size() - 1];
    for (int i = 0; i < holes.length; i++) {
      holes[i] = ring(list(rings.get(i + 1)));
    }
    return ring(list(rings.getFirst()), holes);
  }

  private static Polygon ring(List<?> points, Polygon... holes) {
    return new Polygon(column(points, 1), column(points, 0), holes);
  }

  private static Rectangle envelope(List<?> corners) {
    if (corners.size() != 2) {
      throw refused("an envelope has two corners");
    }
    Point topLeft = point(list(corners.get(0)));
    Point bottomRight = point(list(corners.get(1)));
    return new Rectangle(
        bottomRight.getLat(), topLeft.getLat(), topLeft.getLon(), bottomRight.getLon());
  }

  private static ValueException refused(String reason) {
    return new ValueException(ErrorBody.of(400, "parse_exception", reason));
  }
}
