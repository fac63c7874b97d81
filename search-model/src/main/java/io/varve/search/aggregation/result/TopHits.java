package io.varve.search.aggregation.result;

import tools.jackson.core.JsonGenerator;

/** Hits that write themselves, under the name {@code hits}. */
@FunctionalInterface
public interface TopHits {
  void write(JsonGenerator json);
}
