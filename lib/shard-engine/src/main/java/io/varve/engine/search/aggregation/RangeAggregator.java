package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.FixedPartial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/** Counts documents by numeric range; ranges may overlap. */
final class RangeAggregator extends GroupingAggregator {

  /**
   * A range of numbers.
   *
   * @param from inclusive, to exclusive
   * @param shownFrom as returned, null for unbounded
   */
  record Ends(double from, double to, @Nullable Object shownFrom, @Nullable Object shownTo) {}

  /** The numbers of a segment's documents. */
  interface Source {
    Numbers of(LeafReaderContext leaf) throws IOException;

    /** Converts the ranges to a segment's numbers. */
    default List<Ends> ends(LeafReaderContext leaf, List<Ends> ranges) throws IOException {
      return ranges;
    }
  }

  private final Source source;
  private final List<Ends> ranges;
  private final ValueFormat format;

  RangeAggregator(
      Source source,
      List<Ends> ranges,
      ValueFormat format,
      Children children,
      AggregationContext context) {
    super(children, context);
    this.source = source;
    this.ranges = List.copyOf(ranges);
    this.format = format;
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Numbers numbers = source.of(leaf);
    LeafBuckets inner = children.leaf(leaf);
    int size = ranges.size();
    List<Ends> ends = source.ends(leaf, ranges);
    double[] from = ends.stream().mapToDouble(Ends::from).toArray();
    double[] to = ends.stream().mapToDouble(Ends::to).toArray();
    int[] lastDoc = new int[size];
    int[] lastOwner = new int[size];
    Arrays.fill(lastDoc, -1);
    return new DelegatingLeafBuckets(inner) {
      @Override
      public void collect(int doc, int owner) throws IOException {
        if (!numbers.advance(doc)) {
          return;
        }
        for (int left = numbers.count(); left > 0; left--) {
          double value = numbers.decimal();
          for (int i = 0; i < size; i++) {
            // A document counts once per range even if several of its values match.
            boolean again = lastDoc[i] == doc && lastOwner[i] == owner;
            if (value >= from[i] && value < to[i] && !again) {
              lastDoc[i] = doc;
              lastOwner[i] = owner;
              int bucket = owner * size + i;
              counts.add(bucket, 1);
              inner.collect(doc, bucket);
            }
          }
        }
      }
    };
  }

  @Override
  public FixedPartial build(int owner) throws IOException {
    List<FixedPartial.Group> groups = new ArrayList<>();
    for (int i = 0; i < ranges.size(); i++) {
      int bucket = owner * ranges.size() + i;
      Ends range = ranges.get(i);
      groups.add(new FixedPartial.Group(range.shownFrom, range.shownTo, group(bucket)));
    }
    return new FixedPartial(format, groups);
  }

  @Override
  public FixedPartial empty() {
    return new FixedPartial(
        format,
        ranges.stream()
            .map(range -> new FixedPartial.Group(range.shownFrom, range.shownTo, emptyGroup()))
            .toList());
  }
}
