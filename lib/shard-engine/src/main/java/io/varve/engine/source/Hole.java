package io.varve.engine.source;

/**
 * A place in a source where a value stands that doc values have.
 *
 * @param field whose doc values
 * @param rank which of the document's values in this field, in ascending order
 */
record Hole(Rendering rendering, int rank, String field) {}
