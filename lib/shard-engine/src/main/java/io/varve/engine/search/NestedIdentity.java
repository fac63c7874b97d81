package io.varve.engine.search;

import io.varve.engine.fields.NestedDocuments;
import io.varve.search.mapping.FieldMapping.ObjectField;
import io.varve.search.mapping.Mapping;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.search.join.BitSetProducer;
import org.apache.lucene.search.join.QueryBitSetProducer;
import org.apache.lucene.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The position of a nested object in its document: its offset in each enclosing nested field.
 *
 * @param levels outermost first
 * @param object as in the source, null if no source is kept
 * @param tree the source reduced to this object, under its full name
 */
record NestedIdentity(List<Level> levels, @Nullable Object object, SourceTree tree) {

  /** An offset in a nested field, named relative to the enclosing one. */
  record Level(String field, int offset) {}

  /**
   * @param doc the nested document's id in the whole reader
   */
  static NestedIdentity of(Mapping mapping, HitContext root, String path, int doc)
      throws IOException {
    List<Level> levels = new ArrayList<>();
    int target = doc - root.leaf.docBase;
    int start = previous(NestedQueries.ROOTS.getBitSet(root.leaf), root.doc);
    Object at = root.source() == null ? null : root.tree().root();
    String above = "";
    for (String level : levels(mapping, path)) {
      BitSetProducer producer = new QueryBitSetProducer(NestedDocuments.at(level));
      BitSet documents = producer.getBitSet(root.leaf);
      int offset = 0;
      int owner = documents == null ? target : documents.nextSetBit(target);
      for (int other = documents == null ? owner : documents.nextSetBit(start + 1);
          documents != null && other < owner;
          other = documents.nextSetBit(other + 1)) {
        offset++;
      }
      String field = above.isEmpty() ? level : level.substring(above.length() + 1);
      levels.add(new Level(field, offset));
      start = documents == null ? start : Math.max(start, previous(documents, owner));
      at = at == null ? null : object(at, field, offset);
      above = level;
    }
    return new NestedIdentity(levels, at, tree(path, at));
  }

  private static int previous(@Nullable BitSet documents, int doc) {
    return documents == null || doc == 0 ? -1 : documents.prevSetBit(doc - 1);
  }

  private static List<String> levels(Mapping mapping, String path) {
    List<String> levels = new ArrayList<>();
    for (ObjectField around = mapping.nestedAround(path + ".");
        around != null;
        around = mapping.nestedAround(around.path())) {
      levels.addFirst(around.path());
    }
    return levels;
  }

  private static @Nullable Object object(Object parent, String field, int offset) {
    if (!(parent instanceof Map<?, ?> map)) {
      return null;
    }
    List<@Nullable Object> objects = new ArrayList<>();
    for (Object value : SourceTree.of(map).values(field)) {
      if (value instanceof Map) {
        objects.add(value);
      }
    }
    return offset < objects.size() ? objects.get(offset) : null;
  }

  private static SourceTree tree(String path, @Nullable Object object) {
    return SourceTree.of(object == null ? Map.of() : Map.of(path, object));
  }

  /** The {@code _nested} value of the response. */
  Map<String, Object> shown() {
    Map<String, Object> shown = null;
    for (int i = levels.size() - 1; i >= 0; i--) {
      Map<String, Object> level = new LinkedHashMap<>();
      level.put("field", levels.get(i).field());
      level.put("offset", levels.get(i).offset());
      if (shown != null) {
        level.put("_nested", shown);
      }
      shown = level;
    }
    return shown == null ? Map.of() : shown;
  }
}
