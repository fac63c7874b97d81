package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.BytesKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * Counts IP ranges, which within a segment are ranges of ordinals.
 *
 * <p>A bound that a segment does not contain lies between two ordinals. Several bounds may lie
 * between the same two, so each is represented by a different fraction, in address order.
 */
final class AddressRanges implements RangeAggregator.Source {

  private final FieldValues values;
  private final List<BytesRef> ofRequest;

  AddressRanges(FieldValues values, List<RangeAggregator.Ends> ranges) {
    this.values = values;
    Set<BytesRef> all = new TreeSet<>();
    for (RangeAggregator.Ends range : ranges) {
      add(range.shownFrom(), all);
      add(range.shownTo(), all);
    }
    BytesRef missing = values.missingBytes();
    if (missing != null) {
      all.add(missing);
    }
    this.ofRequest = List.copyOf(all);
  }

  private static void add(@Nullable Object end, Set<BytesRef> to) {
    if (end instanceof BytesKey key) {
      to.add(new BytesRef(key.bytes()));
    }
  }

  @Override
  public Numbers of(LeafReaderContext leaf) throws IOException {
    SortedSetDocValues ordinals = values.ordinals(leaf);
    BytesRef missing = values.missingBytes();
    double place = missing == null ? 0 : place(ordinals, missing);
    return new Numbers() {
      private boolean present;

      @Override
      public boolean advance(int doc) throws IOException {
        present = ordinals.advanceExact(doc);
        return present || missing != null;
      }

      @Override
      public int count() {
        return present ? ordinals.docValueCount() : 1;
      }

      @Override
      public long whole() throws IOException {
        return (long) decimal();
      }

      @Override
      public double decimal() throws IOException {
        return present ? ordinals.nextOrd() : place;
      }
    };
  }

  private double place(SortedSetDocValues ordinals, BytesRef address) throws IOException {
    long found = ordinals.lookupTerm(address);
    if (found >= 0) {
      return found;
    }
    double among = ofRequest.indexOf(address) + 1;
    return -found - 2 + among / (ofRequest.size() + 1);
  }

  @Override
  public List<RangeAggregator.Ends> ends(LeafReaderContext leaf, List<RangeAggregator.Ends> ranges)
      throws IOException {
    SortedSetDocValues ordinals = values.ordinals(leaf);
    List<RangeAggregator.Ends> ends = new ArrayList<>();
    for (RangeAggregator.Ends range : ranges) {
      ends.add(
          new RangeAggregator.Ends(
              end(ordinals, range.shownFrom(), Double.NEGATIVE_INFINITY),
              end(ordinals, range.shownTo(), Double.POSITIVE_INFINITY),
              range.shownFrom(),
              range.shownTo()));
    }
    return ends;
  }

  private double end(SortedSetDocValues ordinals, @Nullable Object shown, double open)
      throws IOException {
    return shown instanceof BytesKey key ? place(ordinals, new BytesRef(key.bytes())) : open;
  }
}
