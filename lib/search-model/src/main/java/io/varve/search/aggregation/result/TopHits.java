package io.varve.search.aggregation.result;

import tools.jackson.core.JsonGenerator;

/** Hits that write themselves, under the name {@code hits}. */
@FunctionalInterface
public interface TopHits {

  /**
   * @param totalAsNumber write the total as a bare number
   */
  void write(boolean totalAsNumber, JsonGenerator json);
}
