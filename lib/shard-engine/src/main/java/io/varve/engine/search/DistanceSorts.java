package io.varve.engine.search;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldType;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.query.SortKey;
import java.util.List;
import org.apache.lucene.document.LatLonDocValuesField;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.search.SortField;
import org.apache.lucene.util.SloppyMath;
import org.jspecify.annotations.Nullable;

/** Sorts by geo distance. */
final class DistanceSorts {

  private static final double EARTH_MEAN_RADIUS_METERS = 6_371_008.7714;

  private DistanceSorts() {}

  /**
   * @param objects the nested objects that contain the points, or null for the documents themselves
   */
  static TranslatedKey of(
      SortKey key,
      SortKey.Kind.Distance distance,
      @Nullable LeafField field,
      ComputedSort.@Nullable Source objects) {
    if (field == null && !distance.ignoreUnmapped()) {
      throw SearchErrors.illegal("failed to find mapper for [" + key.field() + "]");
    }
    if (field != null && (field.type() != FieldType.GEO_POINT || !field.docValues())) {
      throw SearchErrors.illegal(
          "field ["
              + key.field()
              + "] is no geo_point with doc values, as a sort by distance needs");
    }
    LeafField shownAs = field == null ? LeafField.assumed(key.field(), FieldType.GEO_POINT) : field;
    return new TranslatedKey(
        lucene(key, distance, shownAs, objects),
        shownAs,
        -1,
        new TranslatedKey.Showing(null, distance.metersPerUnit()));
  }

  private static SortField lucene(
      SortKey key,
      SortKey.Kind.Distance distance,
      LeafField field,
      ComputedSort.@Nullable Source objects) {
    SortKey.Mode mode =
        key.mode() != null ? key.mode() : key.descending() ? SortKey.Mode.MAX : SortKey.Mode.MIN;
    GeoPoint only = distance.points().getFirst();
    boolean skipping =
        distance.points().size() == 1
            && !distance.plane()
            && objects == null
            && !key.descending()
            && mode == SortKey.Mode.MIN;
    if (skipping) {
      return LatLonDocValuesField.newDistanceSort(field.path(), only.lat(), only.lon());
    }
    ComputedSort.Reading reading =
        new ComputedSort.Reading.Doubles(
            point -> nearest(distance.points(), point, mode, distance.plane()));
    return new SortField(
        field.path(),
        new ComputedSort(
            objects == null ? ComputedSort.Source.of(field) : objects,
            reading,
            mode,
            key.descending() ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY),
        key.descending());
  }

  private static double nearest(
      List<GeoPoint> origins, long point, SortKey.Mode mode, boolean plane) {
    double lat = GeoEncodingUtils.decodeLatitude((int) (point >>> 32));
    double lon = GeoEncodingUtils.decodeLongitude((int) point);
    double nearest = Double.POSITIVE_INFINITY;
    double farthest = 0;
    for (GeoPoint origin : origins) {
      double meters =
          plane
              ? planeMeters(origin, lat, lon)
              : SloppyMath.haversinMeters(origin.lat(), origin.lon(), lat, lon);
      nearest = Math.min(nearest, meters);
      farthest = Math.max(farthest, meters);
    }
    return mode == SortKey.Mode.MAX ? farthest : nearest;
  }

  /**
   * The distance on a plane: faster to compute, but inaccurate over long distances and near the
   * poles.
   */
  static double planeMeters(GeoPoint origin, double lat, double lon) {
    double x =
        Math.toRadians(lon - origin.lon()) * Math.cos(Math.toRadians((lat + origin.lat()) / 2));
    double y = Math.toRadians(lat - origin.lat());
    return Math.hypot(x, y) * EARTH_MEAN_RADIUS_METERS;
  }
}
