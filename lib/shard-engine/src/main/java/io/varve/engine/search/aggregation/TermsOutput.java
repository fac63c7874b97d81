package io.varve.engine.search.aggregation;

import io.varve.search.aggregation.format.ValueFormat;
import io.varve.search.aggregation.partial.Partial;
import io.varve.search.aggregation.partial.TermsPartial.Kind;
import java.io.IOException;

/** What is made of the terms that were found. */
interface TermsOutput {

  /** Whether terms count that no document has that is looked at. */
  default boolean wantsEmpty() {
    return false;
  }

  Partial of(FoundTerms terms, int owner) throws IOException;

  /** Where no document was looked at. */
  Partial nothing(Kind kind, ValueFormat format);
}
