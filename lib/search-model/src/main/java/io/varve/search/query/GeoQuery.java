package io.varve.search.query;

import io.varve.search.mapping.GeoPoint;
import java.util.List;
import java.util.Map;

/** A query on geo points or shapes. */
public sealed interface GeoQuery extends Query {

  String field();

  /** Whether a field without a mapping matches nothing instead of being refused. */
  boolean ignoreUnmapped();

  record BoundingBox(
      String field, GeoPoint topLeft, GeoPoint bottomRight, boolean ignoreUnmapped, float boost)
      implements GeoQuery {}

  record Distance(String field, GeoPoint center, double meters, boolean ignoreUnmapped, float boost)
      implements GeoQuery {}

  record Polygon(String field, List<GeoPoint> points, boolean ignoreUnmapped, float boost)
      implements GeoQuery {
    public Polygon {
      points = List.copyOf(points);
    }
  }

  /**
   * @param shape GeoJSON as maps and lists
   */
  record Shape(
      String field,
      Map<String, Object> shape,
      Query.Relation relation,
      boolean ignoreUnmapped,
      float boost)
      implements GeoQuery {}
}
