package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.MetricAggregation.Digest;
import io.varve.search.aggregation.partial.DigestPartial;
import io.varve.search.aggregation.sketch.ValueDigest;
import java.io.IOException;
import org.apache.lucene.index.LeafReaderContext;

/** How numbers are distributed. */
final class DigestAggregator implements Aggregator {

  /** A mask: each 64th document's digest is measured again. */
  private static final long CHECKED_EVERY = 63;

  private final FieldValues values;
  private final Digest request;
  private final MemoryAccount memory;
  private final ObjectCells<ValueDigest> digests;
  private final LongCells charged;
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
        // A histogram grows with the range of its values.
        if ((++added & CHECKED_EVERY) == 0) {
          charge(digest, bucket);
        }
      }
    };
  }

  private ValueDigest digest(int bucket) {
    ValueDigest digest = digests.get(bucket);
    if (digest == null) {
      digest = ValueDigest.of(request);
      charge(digest, bucket);
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
    return new DigestPartial(values.format(), ValueDigest.of(request));
  }
}
