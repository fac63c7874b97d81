package io.varve.engine.search;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PointValues;
import org.apache.lucene.index.PointValues.PointTree;
import org.apache.lucene.search.PointRangeQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * The documents with the leading values of a sort, found at one end of the field's points. A sorted
 * search visits only these first:
 *
 * <pre>
 *  enough hits among them    -> no other document can be among the first
 *  not enough                -> inconclusive, all documents are visited
 * </pre>
 *
 * <p>A collector derives competitive values only from documents it has visited. If the index is in
 * time order and the latest documents are requested, each document is better than all previous
 * ones, so the collector would visit them all.
 */
final class LeadingValues {

  /**
   * The query for the leading documents.
   *
   * @param tied whether many documents share the last value, so that there may be many more matches
   */
  record Range(Query query, boolean tied) {}

  /** Candidates per hit: a query that matches most documents finds its hits among them. */
  private static final int CANDIDATES_FOR_A_HIT = 16;

  /** A leaf block of the points tree has about this many values, which are always read together. */
  private static final int LEAST_CANDIDATES = 512;

  private final String field;
  private final int candidates;
  private final boolean descending;
  // Ranks of the leading values of the segments so far, in order; the smallest ranks lead.
  private long[] first = new long[1024];
  private int size;
  private long last = Long.MAX_VALUE;

  private LeadingValues(String field, int candidates, boolean descending) {
    this.field = field;
    this.candidates = candidates;
    this.descending = descending;
  }

  /**
   * Null if there are not many more documents than candidates, or the leading values are unknown.
   *
   * @param hits number of requested hits
   * @param descending whether the greatest values lead
   */
  static @Nullable Range of(IndexReader reader, String field, int hits, boolean descending)
      throws IOException {
    long candidates = Math.max(LEAST_CANDIDATES, (long) hits * CANDIDATES_FOR_A_HIT);
    if (candidates > reader.maxDoc() / 4) {
      return null;
    }
    return new LeadingValues(field, (int) candidates, descending).in(reader);
  }

  private @Nullable Range in(IndexReader reader) throws IOException {
    List<Segment> segments = new ArrayList<>();
    int bytes = 0;
    for (LeafReaderContext leaf : reader.leaves()) {
      PointValues points = leaf.reader().getPointValues(field);
      if (points == null) {
        continue;
      }
      bytes = points.getBytesPerDimension();
      // Only one of several values of a document counts, and which one is unknown here.
      if (points.size() != points.getDocCount()
          || points.getNumDimensions() != 1
          || bytes > Long.BYTES) {
        return null;
      }
      segments.add(new Segment(points.getPointTree(), leaf.reader().getLiveDocs()));
    }
    segments.sort(Comparator.comparingLong(segment -> best(segment.tree)));
    for (Segment segment : segments) {
      segment.walk(segment.tree);
      Arrays.sort(first, 0, size);
      size = Math.min(size, candidates);
      last = size == candidates ? first[size - 1] : Long.MAX_VALUE;
    }
    return size < candidates || isEnd(bytes) ? null : range(bytes);
  }

  /**
   * Documents without a value may be sorted together with those at the extreme value of the type.
   */
  private boolean isEnd(int bytes) {
    long value = descending ? ~last : last;
    return bytes == Long.BYTES
        ? value == Long.MAX_VALUE || value == Long.MIN_VALUE
        : value == Integer.MAX_VALUE || value == Integer.MIN_VALUE;
  }

  private Range range(int bytes) {
    byte[] end = new byte[bytes];
    Arrays.fill(end, (byte) (descending ? -1 : 0));
    byte[] edge = new byte[bytes];
    if (bytes == Long.BYTES) {
      NumericUtils.longToSortableBytes(descending ? ~last : last, edge, 0);
    } else {
      NumericUtils.intToSortableBytes((int) (descending ? ~last : last), edge, 0);
    }
    PointRangeQuery query =
        new PointRangeQuery(field, descending ? edge : end, descending ? end : edge, 1) {
          @Override
          protected String toString(int dimension, byte[] value) {
            return Arrays.toString(value);
          }
        };
    return new Range(query, first[size / 2] == last);
  }

  private long best(PointTree tree) {
    return rank(descending ? tree.getMaxPackedValue() : tree.getMinPackedValue());
  }

  private long rank(byte[] packed) {
    long value =
        packed.length == Long.BYTES
            ? NumericUtils.sortableBytesToLong(packed, 0)
            : NumericUtils.sortableBytesToInt(packed, 0);
    return descending ? ~value : value;
  }

  /** The points of a segment, traversed from the leading end. */
  private final class Segment implements PointValues.IntersectVisitor {
    private final PointTree tree;
    private final @Nullable Bits live;
    private int seen;

    Segment(PointTree tree, @Nullable Bits live) {
      this.tree = tree;
      this.live = live;
    }

    private void walk(PointTree at) throws IOException {
      if (seen >= candidates || best(at) > last) {
        return;
      }
      if (!at.moveToChild()) {
        at.visitDocValues(this);
        return;
      }
      List<PointTree> children = new ArrayList<>(2);
      do {
        children.add(at.clone());
      } while (at.moveToSibling());
      for (PointTree child : descending ? children.reversed() : children) {
        walk(child);
      }
    }

    @Override
    public void visit(int doc) {
      throw new IllegalStateException("the values of this cell are not expected to be visited");
    }

    @Override
    public void visit(int doc, byte[] packed) {
      if (live != null && !live.get(doc)) {
        return;
      }
      seen++;
      if (size == first.length) {
        first = Arrays.copyOf(first, size * 2);
      }
      first[size++] = rank(packed);
    }

    @Override
    public PointValues.Relation compare(byte[] minPacked, byte[] maxPacked) {
      return PointValues.Relation.CELL_CROSSES_QUERY;
    }
  }
}
