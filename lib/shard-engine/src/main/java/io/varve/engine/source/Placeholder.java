package io.varve.engine.source;

/**
 * A placeholder in a source for a value that is in doc values.
 *
 * @param field the doc values field
 * @param rank index of the value among the document's values of this field, ascending
 */
record Placeholder(Rendering rendering, int rank, String field) {}
