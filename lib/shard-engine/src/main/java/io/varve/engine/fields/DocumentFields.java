package io.varve.engine.fields;

import org.apache.lucene.index.IndexableField;

/** Receives the Lucene fields of a document while it is parsed. */
public interface DocumentFields {

  void add(IndexableField field);

  /** Records that a malformed value of this field was ignored as the mapping allows. */
  void ignored(String path);
}
