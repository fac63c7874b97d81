package io.varve.engine.search.aggregation;

import com.dynatrace.hash4j.hashing.Hashing;
import io.varve.search.aggregation.partial.DistinctPartial;
import io.varve.search.aggregation.sketch.DistinctSketch;
import java.io.IOException;
import org.apache.lucene.index.DocValues;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.SortedNumericDocValues;
import org.apache.lucene.index.SortedSetDocValues;
import org.apache.lucene.util.BytesRef;

/**
 * Computes {@code cardinality}. A term is hashed once per segment, regardless of the number of
 * documents that have it.
 */
final class DistinctAggregator implements Aggregator {

  private final FieldValues values;
  private final int threshold;
  private final MemoryAccount memory;
  private final ObjectCells<DistinctSketch> sketches;
  private final LongCells charged;

  DistinctAggregator(FieldValues values, int threshold, MemoryAccount memory) {
    this.values = values;
    this.threshold = threshold;
    this.memory = memory;
    this.sketches = new ObjectCells<>(memory);
    this.charged = new LongCells(memory);
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    return switch (values.kind()) {
      case BYTES, RANGE -> terms(values.ordinals(leaf));
      case POINT -> points(leaf);
      default -> numbers(values.numbers(leaf));
    };
  }

  private LeafBuckets numbers(Numbers numbers) {
    boolean whole = values.kind().isWhole();
    return (doc, bucket) -> {
      if (numbers.advance(doc)) {
        for (int left = numbers.count(); left > 0; left--) {
          add(
              bucket,
              DistinctSketch.hash(
                  whole ? numbers.whole() : Double.doubleToLongBits(numbers.decimal())));
        }
      }
    };
  }

  private LeafBuckets points(LeafReaderContext leaf) throws IOException {
    if (values.field() == null) {
      return LeafBuckets.NONE;
    }
    SortedNumericDocValues points =
        DocValues.getSortedNumeric(leaf.reader(), values.field().path());
    return (doc, bucket) -> {
      if (points.advanceExact(doc)) {
        for (int left = points.docValueCount(); left > 0; left--) {
          add(bucket, DistinctSketch.hash(points.nextValue()));
        }
      }
    };
  }

  private LeafBuckets terms(SortedSetDocValues ordinals) {
    BytesRef missing = values.missingBytes();
    long missingHash = missing == null ? 0 : hash(missing);
    OrdinalHashes hashes = new OrdinalHashes(ordinals, memory);
    return new LeafBuckets() {
      @Override
      public void collect(int doc, int bucket) throws IOException {
        if (ordinals.advanceExact(doc)) {
          for (int left = ordinals.docValueCount(); left > 0; left--) {
            add(bucket, hashes.of(ordinals.nextOrd()));
          }
        } else if (missing != null) {
          add(bucket, missingHash);
        }
      }

      @Override
      public void finish() {
        hashes.release();
      }
    };
  }

  static long hash(BytesRef term) {
    return Hashing.xxh3_64().hashBytesToLong(term.bytes, term.offset, term.length);
  }

  /** Hashes of a segment's terms, computed on first use; 0 means not computed yet. */
  private static final class OrdinalHashes {
    private final SortedSetDocValues ordinals;
    private final MemoryAccount memory;
    private long[] hashes = new long[0];

    OrdinalHashes(SortedSetDocValues ordinals, MemoryAccount memory) {
      this.ordinals = ordinals;
      this.memory = memory;
    }

    long of(long ordinal) throws IOException {
      int index = (int) ordinal;
      if (hashes.length == 0) {
        int count = (int) Math.min(Integer.MAX_VALUE - 16, ordinals.getValueCount());
        hashes = memory.allocate(count * 8L, () -> new long[count]);
      }
      long known = hashes[index];
      if (known == 0) {
        known = hash(ordinals.lookupOrd(ordinal));
        hashes[index] = known;
      }
      return known;
    }

    void release() {
      memory.charge(-hashes.length * 8L);
      hashes = new long[0];
    }
  }

  private void add(int bucket, long hash) {
    DistinctSketch sketch = sketches.get(bucket);
    if (sketch == null) {
      sketch = new DistinctSketch(threshold);
      sketches.set(bucket, sketch);
    }
    sketch.add(hash);
    long size = sketch.sizeBytes();
    long before = charged.get(bucket);
    if (size != before) {
      memory.charge(size - before);
      charged.add(bucket, size - before);
    }
  }

  @Override
  public DistinctPartial build(int bucket) {
    DistinctSketch sketch = sketches.get(bucket);
    return new DistinctPartial(sketch == null ? new DistinctSketch(threshold) : sketch);
  }

  @Override
  public DistinctPartial empty() {
    return new DistinctPartial(new DistinctSketch(threshold));
  }
}
