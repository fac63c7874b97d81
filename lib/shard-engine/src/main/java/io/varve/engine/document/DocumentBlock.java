package io.varve.engine.document;

import io.varve.engine.fields.DocumentFields;
import io.varve.engine.fields.MetaFields;
import io.varve.engine.fields.NestedDocuments;
import io.varve.rpc.ApiException;
import io.varve.search.mapping.FieldMapping.Nesting;
import io.varve.search.mapping.FieldMapping.ObjectField;
import io.varve.search.mapping.Mapping;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexableField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * The Lucene documents of one document: its nested objects, followed by the root. Fields are added
 * to the innermost open object.
 */
public final class DocumentBlock implements DocumentFields {

  /** An object that is being read. */
  private record Open(@Nullable ObjectField object, List<IndexableField> fields) {
    String path() {
      return object == null ? "" : object.path();
    }
  }

  private final String id;
  private final Mapping mapping;
  private final Open root = new Open(null, new ArrayList<>(32));
  private final Deque<Open> open = new ArrayDeque<>();
  private final List<List<IndexableField>> nested = new ArrayList<>(0);
  private @Nullable Set<String> ignored;
  private Open at = root;

  DocumentBlock(String id, Mapping mapping) {
    this.id = id;
    this.mapping = mapping;
  }

  @Override
  public void add(IndexableField field) {
    at.fields.add(field);
  }

  @Override
  public void ignored(String path) {
    Set<String> known = ignored;
    if (known == null) {
      known = new HashSet<>();
      ignored = known;
    }
    if (known.add(path)) {
      root.fields.add(new StringField(MetaFields.IGNORED, path, Field.Store.YES));
    }
  }

  /** Begins an object of a nested field. */
  void open(ObjectField object) {
    int limit = mapping.rules().limits().nestedObjects();
    if (nested.size() + open.size() >= limit) {
      throw new ApiException(
          400,
          "mapper_parsing_exception",
          "The number of nested documents has exceeded the allowed limit of ["
              + limit
              + "]. This limit can be set by changing the"
              + " [index.mapping.nested_objects.limit] index level setting.");
    }
    open.push(at);
    at = new Open(object, new ArrayList<>());
  }

  /**
   * Ends the innermost object and copies its fields to enclosing ones if the mapping requires it.
   */
  void close() {
    Open closed = at;
    at = open.pop();
    ObjectField object = closed.object;
    Nesting nesting = object == null ? null : object.nesting();
    if (nesting != null && nesting.includeInParent()) {
      at.fields.addAll(closed.fields);
    }
    boolean alreadyThere = nesting != null && nesting.includeInParent() && open.isEmpty();
    if (nesting != null && nesting.includeInRoot() && !alreadyThere) {
      root.fields.addAll(closed.fields);
    }
    List<IndexableField> fields = new ArrayList<>(closed.fields.size() + 2);
    fields.add(
        new StringField(
            MetaFields.ID, new BytesRef(id.getBytes(StandardCharsets.UTF_8)), Field.Store.NO));
    fields.add(new StringField(NestedDocuments.PATH, closed.path(), Field.Store.NO));
    fields.addAll(closed.fields);
    nested.add(fields);
  }

  /** Runs an action with the object that contains a field as the innermost one. */
  void inDocumentOf(String path, Runnable action) {
    Open before = at;
    at = documentOf(path);
    try {
      action.run();
    } finally {
      at = before;
    }
  }

  private Open documentOf(String path) {
    ObjectField around = mapping.nestedAround(path);
    String wanted = around == null ? "" : around.path();
    if (at.path().equals(wanted)) {
      return at;
    }
    for (Open outer : open) {
      if (outer.path().equals(wanted)) {
        return outer;
      }
    }
    return root;
  }

  public List<IndexableField> root() {
    return root.fields;
  }

  /** Innermost first, the order that Lucene requires of a block. */
  public List<List<IndexableField>> nested() {
    return nested;
  }
}
