package io.varve.search.mapping;

import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An index's mapping. It never changes: a change is a new mapping. Two mappings that mean the same
 * have the same JSON.
 *
 * @param root its path is empty
 * @param meta what the user keeps under {@code _meta}
 * @param dateDetection a new text that reads as a date becomes one
 * @param numericDetection a new text that reads as a number becomes one
 */
public record Mapping(
    ObjectField root,
    boolean sourceEnabled,
    Map<String, Object> meta,
    boolean dateDetection,
    boolean numericDetection,
    SortedMap<String, LeafField> leaves) {

  public static final int DEFAULT_TOTAL_FIELDS_LIMIT = 1000;

  public static final Mapping EMPTY = parse("{}");

  /** What became of the wish to merge a mapping into another. */
  public sealed interface Merge {

    /** {@code changed} is false when the other brought nothing new. */
    record Merged(Mapping mapping, boolean changed) implements Merge {}

    record Refused(ErrorBody error) implements Merge {}
  }

  public Mapping {
    meta = Collections.unmodifiableMap(new LinkedHashMap<>(meta));
    leaves = Collections.unmodifiableSortedMap(new TreeMap<>(leaves));
  }

  static Mapping of(
      ObjectField root,
      boolean sourceEnabled,
      Map<String, Object> meta,
      boolean dateDetection,
      boolean numericDetection) {
    SortedMap<String, LeafField> leaves = new TreeMap<>();
    collect(root, leaves);
    return new Mapping(root, sourceEnabled, meta, dateDetection, numericDetection, leaves);
  }

  private static void collect(FieldMapping field, Map<String, LeafField> into) {
    switch (field) {
      case ObjectField object -> object.properties().values().forEach(f -> collect(f, into));
      case LeafField leaf -> {
        into.put(leaf.path(), leaf);
        leaf.fields().values().forEach(f -> collect(f, into));
      }
    }
  }

  /** Reads a mapping; throws an {@link ApiException} in the dialect's words. */
  public static Mapping parse(String json) {
    return MappingParser.parse(json);
  }

  /** Merges what is new with at most {@link #DEFAULT_TOTAL_FIELDS_LIMIT} fields. */
  public Merge merge(String json) {
    return merge(json, DEFAULT_TOTAL_FIELDS_LIMIT);
  }

  /**
   * This mapping with what the other has more. All of it or nothing: a field that would have to
   * change its type refuses the whole.
   */
  public Merge merge(String json, int totalFieldsLimit) {
    try {
      Mapping merged = MappingMerger.merge(this, parse(json), MappingParser.mentions(json));
      merged.checkTotalFields(totalFieldsLimit);
      return new Merge.Merged(merged, !merged.equals(this));
    } catch (ApiException e) {
      return new Merge.Refused(e.error());
    }
  }

  /** Throws an {@link ApiException} when there are more fields, objects included, than allowed. */
  public void checkTotalFields(int limit) {
    if (totalFields() > limit) {
      throw MappingErrors.illegal("Limit of total fields [" + limit + "] has been exceeded");
    }
  }

  private int totalFields() {
    return leaves.size() + objectsIn(root);
  }

  private static int objectsIn(ObjectField object) {
    int count = 0;
    for (FieldMapping field : object.properties().values()) {
      count += field instanceof ObjectField inner ? 1 + objectsIn(inner) : 0;
    }
    return count;
  }

  /** A field with values by its full name, the fields of fields included. */
  public @Nullable LeafField leaf(String path) {
    return leaves.get(path);
  }

  /** An object by its full name; the root for an empty one. */
  public @Nullable ObjectField object(String path) {
    ObjectField at = root;
    if (path.isEmpty()) {
      return at;
    }
    for (String name : path.split("\\.", -1)) {
      if (!(at.child(name) instanceof ObjectField inner)) {
        return null;
      }
      at = inner;
    }
    return at;
  }

  /** The mapping's JSON: the same for equal mappings. */
  public String toJson() {
    return new String(Json.write(toMap()), StandardCharsets.UTF_8);
  }

  /** The mapping as JSON's maps, for who puts it into a larger answer. */
  public Map<String, Object> toMap() {
    return MappingWriter.toMap(this);
  }
}
