package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.MetricAggregation.Digest;
import io.varve.search.aggregation.partial.DigestPartial;
import io.varve.search.aggregation.sketch.ValueDigest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.jspecify.annotations.Nullable;

/** How numbers are distributed. */
final class DigestAggregator implements Aggregator {

  private final FieldValues values;
  private final Digest request;
  private final MemoryAccount memory;
  private final List<@Nullable ValueDigest> digests = new ArrayList<>();

  DigestAggregator(FieldValues values, Digest request, MemoryAccount memory) {
    this.values = values;
    this.request = request;
    this.memory = memory;
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
      }
    };
  }

  private ValueDigest digest(int bucket) {
    while (digests.size() <= bucket) {
      digests.add(null);
    }
    ValueDigest digest = digests.get(bucket);
    if (digest == null) {
      digest = ValueDigest.of(request);
      memory.charge(digest.sizeBytes());
      digests.set(bucket, digest);
    }
    return digest;
  }

  @Override
  public DigestPartial build(int bucket) {
    ValueDigest digest = bucket < digests.size() ? digests.get(bucket) : null;
    return digest == null ? empty() : new DigestPartial(values.format(), digest);
  }

  @Override
  public DigestPartial empty() {
    return new DigestPartial(values.format(), ValueDigest.of(request));
  }
}
