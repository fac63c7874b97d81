package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.MetricAggregation.Digest;
import io.varve.search.aggregation.partial.DigestPartial;
import io.varve.search.aggregation.sketch.ValueDigest;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/** Collects numbers into digests for percentiles. */
final class DigestAggregator implements Aggregator {

  /** A digest is measured after every 64th document, or after each one if digests grow fast. */
  private static final long CHECKED_EVERY = 64;

  private static final long GROWS_BY_MUCH_BYTES = 64 * 1024;

  private final FieldValues values;
  private final Digest request;
  private final MemoryAccount memory;
  private final ObjectCells<ValueDigest> digests;
  private final LongCells charged;
  private @Nullable DigestPartial empty;
  private long firstBytes;
  private long added;

  DigestAggregator(FieldValues values, Digest request, MemoryAccount memory) {
    this.values = values;
    this.request = request;
    this.memory = memory;
    this.digests = new ObjectCells<>(memory);
    this.charged = new LongCells(memory);
  }

  @Override
  public LeafBuckets leaf(LeafReaderContext leaf) throws IOException {
    Numbers numbers = values.numbers(leaf);
    return (doc, bucket) -> {
      if (numbers.advance(doc)) {
        ValueDigest digest = digest(bucket);
        for (int left = numbers.count(); left > 0; left--) {
          digest.add(numbers.decimal());
        }
        // The size of a histogram grows with the range of its values.
        if (++added % CHECKED_EVERY == 0 || firstBytes > GROWS_BY_MUCH_BYTES) {
          charge(digest, bucket);
        }
      }
    };
  }

  private ValueDigest digest(int bucket) {
    ValueDigest digest = digests.get(bucket);
    if (digest == null) {
      // Initially all have the same size, measured on the first one.
      memory.charge(firstBytes);
      digest = ValueDigest.of(request);
      memory.charge(-firstBytes);
      charge(digest, bucket);
      firstBytes = charged.get(bucket);
      digests.set(bucket, digest);
    }
    return digest;
  }

  private void charge(ValueDigest digest, int bucket) {
    long more = digest.sizeBytes() - charged.get(bucket);
    if (more > 0) {
      memory.charge(more);
      charged.add(bucket, more);
    }
  }

  @Override
  public DigestPartial build(int bucket) {
    ValueDigest digest = digests.get(bucket);
    return digest == null ? empty() : new DigestPartial(values.format(), digest);
  }

  @Override
  public DigestPartial empty() {
    DigestPartial none = empty;
    if (none == null) {
      none = new DigestPartial(values.format(), ValueDigest.of(request));
      empty = none;
    }
    return none;
  }
}
