package io.varve.engine.fields;

import io.varve.search.mapping.Mapping;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/**
 * The Lucene representation of nested objects, which are separate Lucene documents. They precede
 * their document in one block, innermost first. Each has its document's {@code _id} as a term, so
 * that it is deleted with the document, and its path in {@value #PATH}. All other metadata fields
 * are only in the root document.
 */
public final class NestedDocuments {

  public static final String PATH = "_nested_path";

  private NestedDocuments() {}

  /** Matches root documents only. */
  public static Query roots() {
    return new FieldExistsQuery(MetaFields.PRIMARY_TERM);
  }

  /** Matches the nested objects of one path. */
  public static Query at(String path) {
    return new TermQuery(new Term(PATH, path));
  }

  /** Whether searches must exclude nested objects. */
  public static boolean mayBeIn(Mapping mapping) {
    return !mapping.nested().isEmpty();
  }
}
