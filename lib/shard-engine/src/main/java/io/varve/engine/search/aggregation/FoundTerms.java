package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;

/** The terms that were found, before any of them is given away. */
interface FoundTerms {

  Kind kind();

  ValueFormat format();

  /** The buckets within a bucket of the aggregation around. */
  int[] of(int owner);

  LongCells counts();

  Object key(int bucket);

  /** The order of two buckets' keys, which need not be made for it. */
  int compare(int bucket, int other);

  /** Is asked for once for each bucket. */
  Partials children(int bucket) throws IOException;
}
