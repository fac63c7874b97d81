package io.varve.engine.search.aggregation;

import java.io.IOException;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.util.DocIdSetBuilder;
import org.apache.lucene.util.IntsRef;
import org.jspecify.annotations.Nullable;

/**
 * The documents of a segment that a query does not match, if they are known and few. An aggregation
 * then takes the statistics of the whole segment and subtracts these documents, instead of visiting
 * the matching ones.
 */
final class NonMatches {

  /** The largest share of non-matching documents for which this is certainly faster. */
  private static final int FEW = 8;

  private NonMatches() {}

  /**
   * Returns the documents in index order, or null if documents must be visited. The segment must
   * have no deletions.
   */
  static @Nullable DocIdSetIterator of(LeafReader reader, LeafMatch match) throws IOException {
    return switch (match) {
      case LeafMatch.All _ -> DocIdSetIterator.empty();
      case LeafMatch.Span span -> outside(span, reader);
    };
  }

  private static @Nullable DocIdSetIterator outside(LeafMatch.Span span, LeafReader reader)
      throws IOException {
    PointValues points = reader.getPointValues(span.field());
    int documents = reader.maxDoc();
    // With exactly one value per document, a document matches if and only if its value does.
    if (points == null
        || points.getNumDimensions() != 1
        || points.getDocCount() != documents
        || points.size() != documents) {
      return null;
    }
    Outside visitor = new Outside(span, new DocIdSetBuilder(documents, points));
    if (points.estimatePointCount(visitor) > documents / FEW) {
      return null;
    }
    points.intersect(visitor);
    return visitor.found.build().iterator();
  }

  /** Finds the documents whose value is not in the span. */
  private static final class Outside implements PointValues.IntersectVisitor {
    private final LeafMatch.Span span;
    private final DocIdSetBuilder found;
    private DocIdSetBuilder.BulkAdder adder;

    Outside(LeafMatch.Span span, DocIdSetBuilder found) {
      this.span = span;
      this.found = found;
      this.adder = found.grow(0);
    }

    @Override
    public void grow(int count) {
      adder = found.grow(count);
    }

    @Override
    public void visit(int doc) {
      adder.add(doc);
    }

    @Override
    public void visit(IntsRef documents) {
      adder.add(documents);
    }

    @Override
    public void visit(int doc, byte[] packed) {
      long bits = PointCounter.bits(packed);
      if (bits < span.from() || bits > span.to()) {
        adder.add(doc);
      }
    }

    @Override
    public PointValues.Relation compare(byte[] minPacked, byte[] maxPacked) {
      long min = PointCounter.bits(minPacked);
      long max = PointCounter.bits(maxPacked);
      if (max < span.from() || min > span.to()) {
        return PointValues.Relation.CELL_INSIDE_QUERY;
      }
      return min >= span.from() && max <= span.to()
          ? PointValues.Relation.CELL_OUTSIDE_QUERY
          : PointValues.Relation.CELL_CROSSES_QUERY;
    }
  }
}
