package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.partial.PointsPartial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;

/** Computes the bounds and the centroid of geo points. */
final class GeoMetricsAggregator implements Aggregator {

  private static final long BUCKET_BYTES = 200;

  private final FieldValues values;
  private final MemoryAccount memory;
  private final List<PointsPartial> places = new ArrayList<>();

  GeoMetricsAggregator(FieldValues values, MemoryAccount memory) {
    this.values = values;
    this.memory = memory;
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    if (values.field() == null) {
      return LeafBuckets.NONE;
    }
    SortedNumericDocValues points =
        DocValues.getSortedNumeric(leaf.reader(), values.field().path());
    return (doc, bucket) -> {
      if (points.advanceExact(doc)) {
        while (places.size() <= bucket) {
          memory.charge(BUCKET_BYTES);
          places.add(PointsPartial.NONE);
        }
        for (int left = points.docValueCount(); left > 0; left--) {
          long point = points.nextValue();
          places.set(
              bucket,
              places
                  .get(bucket)
                  .with(
                      GeoEncodingUtils.decodeLatitude((int) (point >>> 32)),
                      GeoEncodingUtils.decodeLongitude((int) point)));
        }
      }
    };
  }

  @Override
  public PointsPartial build(int bucket) {
    return bucket < places.size() ? places.get(bucket) : PointsPartial.NONE;
  }

  @Override
  public PointsPartial empty() {
    return PointsPartial.NONE;
  }
}
