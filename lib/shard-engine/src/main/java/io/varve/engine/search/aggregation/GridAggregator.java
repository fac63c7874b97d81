package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.BucketAggregation.GeoGrid;
import io.varve.search.aggregation.GeoBox;
import io.varve.search.aggregation.format.Formats;
import io.varve.search.aggregation.partial.TermsPartial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import io.varve.search.aggregation.result.GeoTiles;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.geo.GeoEncodingUtils;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;

/** Counts documents by geo grid cell. */
final class GridAggregator extends KeyedAggregator {

  private final FieldValues values;
  private final GeoGrid request;
  private final TermsShape shape;

  GridAggregator(
      FieldValues values,
      GeoGrid request,
      TermsShape shape,
      Children children,
      AggregationContext context) {
    super(children, context);
    this.values = values;
    this.request = request;
    this.shape = shape;
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    if (values.field() == null) {
      return LeafBuckets.NONE;
    }
    SortedNumericDocValues points =
        DocValues.getSortedNumeric(leaf.reader(), values.field().path());
    LeafBuckets inner = children.leaf(leaf);
    GeoBox bounds = request.bounds();
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        if (!points.advanceExact(doc)) {
          return;
        }
        int count = points.docValueCount();
        long[] seen = new long[count];
        int cells = 0;
        for (int i = 0; i < count; i++) {
          long point = points.nextValue();
          double lat = GeoEncodingUtils.decodeLatitude((int) (point >>> 32));
          double lon = GeoEncodingUtils.decodeLongitude((int) point);
          long cell = GeoTiles.cell(request.grid(), lat, lon, request.precision());
          if ((bounds == null || bounds.contains(lat, lon)) && isNew(seen, cells, cell)) {
            seen[cells++] = cell;
            inner.collect(doc, count(owner, cell));
          }
        }
      }
    };
  }

  private static boolean isNew(long[] seen, int count, long cell) {
    for (int i = 0; i < count; i++) {
      if (seen[i] == cell) {
        return false;
      }
    }
    return true;
  }

  @Override
  public TermsPartial build(int owner) throws IOException {
    int[] buckets = keys.of(owner);
    int[] kept = shape.keep(buckets, counts, (a, b) -> Long.compare(keys.key(a), keys.key(b)));
    Map<Object, TermsPartial.Bucket> built = HashMap.newHashMap(kept.length);
    for (int bucket : kept) {
      built.put(
          keys.key(bucket), new TermsPartial.Bucket(counts.get(bucket), 0, children.build(bucket)));
    }
    return shape.cut(new TermsPartial(Kind.LONG, List.of(Formats.RAW), built, 0, 0, 1));
  }

  @Override
  public TermsPartial empty() {
    return new TermsPartial(Kind.LONG, List.of(Formats.RAW), Map.of(), 0, 0, 1);
  }
}
