package io.varve.engine.search.aggregation;

import io.varve.search.mapping.FieldMapping.LeafField;
import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.PointValues.PointTree;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * Counts the values of a segment by bucket from its points tree: a cell within one bucket is
 * counted as a whole, and only cells that span buckets are visited. Requires at most one value per
 * document and no deletions.
 */
final class PointCounter {

  /** Maps the sortable bits of a value to buckets, ascending. */
  interface Buckets {
    long key(long bits);

    void add(long key, long count);
  }

  private final PointValues points;
  private final LeafMatch.Span span;

  private PointCounter(PointValues points, LeafMatch.Span span) {
    this.points = points;
    this.span = span;
  }

  /** Null if documents must be visited. */
  static @Nullable PointCounter of(
      FieldValues values, LeafReaderContext leaf, @Nullable LeafMatch match) throws IOException {
    LeafField field = values.field();
    if (field == null || values.missing() != null || match == null) {
      return null;
    }
    LeafMatch.Span span = match.of(field.path());
    LeafReader reader = leaf.reader();
    PointValues points =
        span == null || !field.indexed() || reader.hasDeletions()
            ? null
            : reader.getPointValues(field.path());
    return span == null
            || points == null
            || !isPlain(values, points)
            || points.size() != points.getDocCount()
        ? null
        : new PointCounter(points, span);
  }

  /** Whether the bits of points and values are the same. */
  static boolean isPlain(FieldValues values, PointValues points) throws IOException {
    return points.getNumDimensions() == 1
        && points.getBytesPerDimension() <= Long.BYTES
        && values.kind().isNumber()
        && values.kind() != FieldValues.Kind.UNSIGNED
        && values.kind() != FieldValues.Kind.NANOS;
  }

  /** The sortable bits of a segment's points, which have 4 or 8 bytes. */
  static long bits(byte[] packed) {
    return packed.length == Long.BYTES
        ? NumericUtils.sortableBytesToLong(packed, 0)
        : NumericUtils.sortableBytesToInt(packed, 0);
  }

  void count(Buckets buckets) throws IOException {
    count(points.getPointTree(), buckets, new EdgeVisitor(buckets));
  }

  private void count(PointTree tree, Buckets buckets, EdgeVisitor edges) throws IOException {
    long min = bits(tree.getMinPackedValue());
    long max = bits(tree.getMaxPackedValue());
    if (max < span.from() || min > span.to()) {
      return;
    }
    if (min >= span.from() && max <= span.to()) {
      long key = buckets.key(min);
      if (key == buckets.key(max)) {
        buckets.add(key, tree.size());
        return;
      }
    }
    if (tree.moveToChild()) {
      do {
        count(tree, buckets, edges);
      } while (tree.moveToSibling());
      tree.moveToParent();
    } else {
      tree.visitDocValues(edges);
      edges.flush();
    }
  }

  /** Counts the values of a cell individually; equal keys are adjacent. */
  private final class EdgeVisitor implements PointValues.IntersectVisitor {
    private final Buckets buckets;
    private long key;
    private long count;

    EdgeVisitor(Buckets buckets) {
      this.buckets = buckets;
    }

    @Override
    public void visit(int doc) {
      throw new IllegalStateException("the values of this cell are not expected to be visited");
    }

    @Override
    public void visit(int doc, byte[] packed) {
      long bits = bits(packed);
      if (bits < span.from() || bits > span.to()) {
        return;
      }
      long next = buckets.key(bits);
      if (next != key) {
        flush();
        key = next;
      }
      count++;
    }

    void flush() {
      if (count > 0) {
        buckets.add(key, count);
        count = 0;
      }
    }

    @Override
    public PointValues.Relation compare(byte[] minPacked, byte[] maxPacked) {
      return PointValues.Relation.CELL_CROSSES_QUERY;
    }
  }
}
