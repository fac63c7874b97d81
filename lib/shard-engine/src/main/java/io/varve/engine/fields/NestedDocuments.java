package io.varve.engine.fields;

import io.varve.search.mapping.Mapping;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.FieldExistsQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;

/**
 * Objects that are documents of their own. They stand in one block before the document that they
 * are in, the innermost first; each has its document's {@code _id} as a term, so that they go when
 * it goes, and the name of its nested object in {@value #PATH}. What else a document has beside its
 * own fields the root alone has.
 */
public final class NestedDocuments {

  public static final String PATH = "_nested_path";

  private NestedDocuments() {}

  /** The documents that were sent, without the objects in them. */
  public static Query roots() {
    return new FieldExistsQuery(MetaFields.PRIMARY_TERM);
  }

  /** The objects of one nested object, by its full name. */
  public static Query at(String path) {
    return new TermQuery(new Term(PATH, path));
  }

  /** Whether searches have to look away from objects. */
  public static boolean mayBeIn(Mapping mapping) {
    return !mapping.nested().isEmpty();
  }
}
