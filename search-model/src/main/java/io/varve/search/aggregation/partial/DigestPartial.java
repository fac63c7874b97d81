package io.varve.search.aggregation.partial;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.sketch.ValueDigest;

/** How numbers are distributed. */
public record DigestPartial(ValueFormat format, ValueDigest digest) implements Partial {

  @Override
  public DigestPartial merge(Partial partial) {
    DigestPartial other = (DigestPartial) partial;
    return new DigestPartial(format.isShown() ? format : other.format, digest.merged(other.digest));
  }

  @Override
  public void write(Out out) {
    out.format(format);
    out.flag(digest instanceof ValueDigest.Columns);
    out.bytes(digest.toBytes());
  }

  static DigestPartial read(In in) {
    ValueFormat format = in.format();
    boolean columns = in.flag();
    byte[] bytes = in.bytes();
    return new DigestPartial(
        format,
        columns ? ValueDigest.Columns.fromBytes(bytes) : ValueDigest.Centroids.fromBytes(bytes));
  }
}
