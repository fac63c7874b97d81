package io.varve.engine.fields;

import org.apache.lucene.index.IndexableField;

/** Where the Lucene fields of a document go while it is read. */
public interface DocumentFields {

  void add(IndexableField field);

  /** A value of this field was bad, and the mapping says to go on without it. */
  void ignored(String path);
}
