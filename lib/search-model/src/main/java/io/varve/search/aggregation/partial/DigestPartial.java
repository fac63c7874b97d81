package io.varve.search.aggregation.partial;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.sketch.ValueDigest;
import io.varve.search.aggregation.sketch.ValueDigest.Centroids;
import io.varve.search.aggregation.sketch.ValueDigest.Columns;

/**
 * The distribution of numbers. It holds the encoded digest, whose size depends on the values. It is
 * decoded only when needed, because a decoded digest takes from 30 KB to megabytes even for one
 * value, and a response may contain one in each of thousands of buckets.
 *
 * @param columns whether the bytes encode {@link Columns}
 */
@SuppressWarnings("ArrayRecordComponent")
public record DigestPartial(ValueFormat format, boolean columns, byte[] bytes) implements Partial {

  public DigestPartial(ValueFormat format, ValueDigest digest) {
    this(format, digest instanceof Columns, digest.toBytes());
  }

  /** Decodes the digest on each call. */
  public ValueDigest digest() {
    return columns ? Columns.fromBytes(bytes) : Centroids.fromBytes(bytes);
  }

  @Override
  public DigestPartial merge(Partial partial) {
    DigestPartial other = (DigestPartial) partial;
    ValueDigest first = digest();
    ValueDigest second = other.digest();
    byte[] both =
        MergeMemory.current()
            .charged(first.mergeBytes(second), () -> first.merged(second).toBytes());
    return new DigestPartial(format.isShown() ? format : other.format, columns, both);
  }

  @Override
  public void write(PartialWriter out) {
    out.format(format);
    out.flag(columns);
    out.bytes(bytes);
  }

  static DigestPartial read(PartialReader in) {
    return new DigestPartial(in.format(), in.flag(), in.bytes());
  }
}
