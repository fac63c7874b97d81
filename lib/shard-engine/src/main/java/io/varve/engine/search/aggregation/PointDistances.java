package io.varve.engine.search.aggregation;

import io.varve.search.mapping.GeoPoint;
import java.io.IOException;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.util.SloppyMath;

/** The distances of documents' points from an origin, as numbers. */
final class PointDistances {

  private static final double METERS_PER_DEGREE = Math.toRadians(1) * 6_371_008.7714;

  private final FieldValues values;
  private final GeoPoint origin;
  private final double metersPerUnit;
  private final boolean plane;

  PointDistances(FieldValues values, GeoPoint origin, double metersPerUnit, boolean plane) {
    this.values = values;
    this.origin = origin;
    this.metersPerUnit = metersPerUnit;
    this.plane = plane;
  }

  Numbers of(LeafReaderContext leaf) throws IOException {
    if (values.field() == null) {
      return Numbers.NONE;
    }
    SortedNumericDocValues points =
        DocValues.getSortedNumeric(leaf.reader(), values.field().path());
    return new Numbers() {
      @Override
      public boolean advance(int doc) throws IOException {
        return points.advanceExact(doc);
      }

      @Override
      public int count() {
        return points.docValueCount();
      }

      @Override
      public long whole() throws IOException {
        return (long) decimal();
      }

      @Override
      public double decimal() throws IOException {
        long point = points.nextValue();
        return distance(
            GeoEncodingUtils.decodeLatitude((int) (point >>> 32)),
            GeoEncodingUtils.decodeLongitude((int) point));
      }
    };
  }

  private double distance(double lat, double lon) {
    double meters =
        plane
            ? METERS_PER_DEGREE
                * Math.hypot(
                    lat - origin.lat(),
                    (lon - origin.lon()) * Math.cos(Math.toRadians((lat + origin.lat()) / 2)))
            : SloppyMath.haversinMeters(origin.lat(), origin.lon(), lat, lon);
    return meters / metersPerUnit;
  }
}
