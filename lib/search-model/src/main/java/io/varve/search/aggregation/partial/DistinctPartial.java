package io.varve.search.aggregation.partial;

import io.varve.search.aggregation.sketch.DistinctSketch;

/** A sketch of the number of distinct values. */
public record DistinctPartial(DistinctSketch sketch) implements Partial {

  @Override
  public DistinctPartial merge(Partial other) {
    return new DistinctPartial(sketch.merged(((DistinctPartial) other).sketch));
  }

  @Override
  public void write(PartialWriter out) {
    out.bytes(sketch.toBytes());
  }

  static DistinctPartial read(PartialReader in) {
    return new DistinctPartial(DistinctSketch.fromBytes(in.bytes()));
  }
}
