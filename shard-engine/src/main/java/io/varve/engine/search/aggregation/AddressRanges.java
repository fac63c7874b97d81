package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.BytesKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Ranges of addresses: within a segment they are ranges of ordinals. */
final class AddressRanges implements RangeAggregator.Source {

  private final FieldValues values;

  AddressRanges(FieldValues values) {
    this.values = values;
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

  /** The ordinal of an address, or a place between two ordinals. */
  private static double place(SortedSetDocValues ordinals, BytesRef address) throws IOException {
    long found = ordinals.lookupTerm(address);
    return found >= 0 ? found : -found - 1 - 0.5;
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

  private static double end(SortedSetDocValues ordinals, @Nullable Object shown, double open)
      throws IOException {
    return shown instanceof BytesKey key ? place(ordinals, new BytesRef(key.bytes())) : open;
  }
}
