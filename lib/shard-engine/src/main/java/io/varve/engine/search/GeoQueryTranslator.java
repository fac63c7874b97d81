package io.varve.engine.search;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.query.GeoQuery;
import io.varve.search.query.GeoQuery.BoundingBox;
import io.varve.search.query.GeoQuery.Distance;
import io.varve.search.query.GeoQuery.Polygon;
import io.varve.search.query.GeoQuery.Shape;
import io.varve.search.query.Query.Relation;
import java.text.ParseException;
import java.util.List;
import java.util.function.Supplier;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.document.LatLonPoint;
import org.apache.lucene.document.ShapeField.QueryRelation;
import org.apache.lucene.geo.LatLonGeometry;
import org.apache.lucene.search.ConstantScoreQuery;
import org.apache.lucene.search.IndexOrDocValuesQuery;
import org.apache.lucene.search.MatchNoDocsQuery;
import org.apache.lucene.search.Query;

/** Translates geo point queries to queries that use points or doc values, whichever is cheaper. */
final class GeoQueryTranslator {

  private final QueryContext context;

  GeoQueryTranslator(QueryContext context) {
    this.context = context;
  }

  Query of(GeoQuery query) {
    LeafField field = context.leaf(query.field());
    if (field == null) {
      if (query.ignoreUnmapped()) {
        return new MatchNoDocsQuery("unmapped field [" + query.field() + "]");
      }
      throw SearchErrors.shard("failed to find geo field [" + query.field() + "]");
    }
    if (field.type() != FieldType.GEO_POINT) {
      throw SearchErrors.shard(
          query instanceof Shape
              ? "Field ["
                  + query.field()
                  + "] is of unsupported type ["
                  + field.type().json()
                  + "] for [geo_shape] query"
              : "field [" + query.field() + "] is not a geo_point field");
    }
    if (!field.indexed()) {
      throw QueryContext.notIndexed(field);
    }
    try {
      return new ConstantScoreQuery(
          switch (query) {
            case BoundingBox box -> box(field, box);
            case Distance distance -> distance(field, distance);
            case Polygon polygon -> polygon(field, polygon);
            case Shape shape -> shape(field, shape);
          });
    } catch (IllegalArgumentException e) {
      throw SearchErrors.failedToCreate(ErrorBody.illegalArgument(String.valueOf(e.getMessage())));
    }
  }

  private static Query box(LeafField field, BoundingBox box) {
    GeoPoint from = box.bottomRight();
    GeoPoint to = box.topLeft();
    if (from.lat() > to.lat()) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "top is below bottom corner: " + to.lat() + " vs. " + from.lat()));
    }
    String path = field.path();
    return either(
        field,
        LatLonPoint.newBoxQuery(path, from.lat(), to.lat(), to.lon(), from.lon()),
        () ->
            LatLonDocValuesField.newSlowBoxQuery(path, from.lat(), to.lat(), to.lon(), from.lon()));
  }

  private static Query distance(LeafField field, Distance distance) {
    GeoPoint center = distance.center();
    String path = field.path();
    return either(
        field,
        LatLonPoint.newDistanceQuery(path, center.lat(), center.lon(), distance.meters()),
        () ->
            LatLonDocValuesField.newSlowDistanceQuery(
                path, center.lat(), center.lon(), distance.meters()));
  }

  private static Query polygon(LeafField field, Polygon polygon) {
    List<GeoPoint> points = polygon.points();
    boolean closed = points.getFirst().equals(points.getLast());
    int count = points.size() + (closed ? 0 : 1);
    double[] lats = new double[count];
    double[] lons = new double[count];
    for (int i = 0; i < count; i++) {
      GeoPoint point = points.get(i % points.size());
      lats[i] = point.lat();
      lons[i] = point.lon();
    }
    org.apache.lucene.geo.Polygon lucene = new org.apache.lucene.geo.Polygon(lats, lons);
    return either(
        field,
        LatLonPoint.newPolygonQuery(field.path(), lucene),
        () -> LatLonDocValuesField.newSlowPolygonQuery(field.path(), lucene));
  }

  private static Query shape(LeafField field, Shape shape) {
    LatLonGeometry[] geometries;
    try {
      geometries = Shapes.parse(shape.shape());
    } catch (ParseException e) {
      throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
    }
    QueryRelation relation = relation(shape.relation());
    return either(
        field,
        LatLonPoint.newGeometryQuery(field.path(), relation, geometries),
        () -> LatLonDocValuesField.newSlowGeometryQuery(field.path(), relation, geometries));
  }

  private static QueryRelation relation(Relation relation) {
    return switch (relation) {
      case INTERSECTS -> QueryRelation.INTERSECTS;
      case WITHIN -> QueryRelation.WITHIN;
      case CONTAINS -> QueryRelation.CONTAINS;
      case DISJOINT -> QueryRelation.DISJOINT;
    };
  }

  private static Query either(LeafField field, Query byPoints, Supplier<Query> byValues) {
    return field.docValues() ? new IndexOrDocValuesQuery(byPoints, byValues.get()) : byPoints;
  }
}
