package io.varve.search.aggregation.result;

import tools.jackson.core.JsonGenerator;

/** Hits that can be written to JSON, as the member {@code hits}. */
@FunctionalInterface
public interface TopHits {

  /**
   * @param totalAsNumber write the total as a plain number
   */
  void write(boolean totalAsNumber, JsonGenerator json);
}
