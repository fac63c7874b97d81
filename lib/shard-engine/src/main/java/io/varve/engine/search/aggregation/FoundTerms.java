package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.Partials;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;

/** The terms found, before the result is truncated. */
interface FoundTerms {

  Kind kind();

  ValueFormat format();

  /** The buckets within a bucket of the parent. */
  int[] of(int owner);

  LongCells counts();

  Object key(int bucket);

  /** Compares the keys of two buckets without building them. */
  int compare(int bucket, int other);

  /** Builds the sub-results of a bucket; called at most once per bucket. */
  Partials children(int bucket) throws IOException;
}
