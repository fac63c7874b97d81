package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.Partial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;

/** Builds the result of an aggregation from the terms that were found. */
interface TermsOutput {

  /** Whether terms of documents that did not match are included. */
  default boolean wantsEmpty() {
    return false;
  }

  Partial of(FoundTerms terms, int owner) throws IOException;

  /** The result without any document. */
  Partial nothing(Kind kind, ValueFormat format);
}
