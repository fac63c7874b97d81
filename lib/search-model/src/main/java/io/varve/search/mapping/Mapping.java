package io.varve.search.mapping;

import io.varve.events.Json;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.mapping.FieldMapping.AliasField;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The mapping of an index. It is immutable; a change creates a new mapping. Equal mappings have the
 * same JSON.
 *
 * @param root the root object, whose path is empty
 * @param rules rules from the index settings
 * @param leaves fields with values by full name, including multi-fields
 * @param aliases targets of field aliases
 * @param nested nested objects by full name
 */
public record Mapping(
    ObjectField root,
    RootOptions options,
    MappingRules rules,
    SortedMap<String, LeafField> leaves,
    SortedMap<String, String> aliases,
    SortedMap<String, ObjectField> nested) {

  public static final Mapping EMPTY = parse("{}");

  /** The outcome of merging a mapping into another. */
  public sealed interface Merge {

    /**
     * @param changed false if the merge added nothing
     */
    record Merged(Mapping mapping, boolean changed) implements Merge {}

    record Refused(ErrorBody error) implements Merge {}
  }

  public Mapping {
    leaves = Collections.unmodifiableSortedMap(new TreeMap<>(leaves));
    aliases = Collections.unmodifiableSortedMap(new TreeMap<>(aliases));
    nested = Collections.unmodifiableSortedMap(new TreeMap<>(nested));
  }

  static Mapping of(ObjectField root, RootOptions options, MappingRules rules) {
    Mapping collected =
        new Mapping(root, options, rules, new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
    SortedMap<String, LeafField> leaves = new TreeMap<>();
    SortedMap<String, String> aliases = new TreeMap<>();
    SortedMap<String, ObjectField> nested = new TreeMap<>();
    collect(collected.root, leaves, aliases, nested);
    return new Mapping(root, options, rules, leaves, aliases, nested);
  }

  private static void collect(
      FieldMapping field,
      Map<String, LeafField> leaves,
      Map<String, String> aliases,
      Map<String, ObjectField> nested) {
    switch (field) {
      case ObjectField object -> {
        if (object.isNested()) {
          nested.put(object.path(), object);
        }
        object.properties().values().forEach(f -> collect(f, leaves, aliases, nested));
      }
      case AliasField alias -> aliases.put(alias.path(), alias.target());
      case LeafField leaf -> {
        leaves.put(leaf.path(), leaf);
        leaf.fields().values().forEach(f -> collect(f, leaves, aliases, nested));
      }
    }
  }

  /** Parses a mapping with the rules of default index settings. */
  public static Mapping parse(String json) {
    return parse(json, MappingRules.DEFAULT);
  }

  /** Parses a mapping; throws an {@link ApiException} with OpenSearch's error text. */
  public static Mapping parse(String json, MappingRules rules) {
    return MappingParser.parse(json, rules);
  }

  /** The mapping of a new index; {@link Merge.Refused} if it is invalid or too large. */
  public static Merge create(String json, MappingRules rules) {
    try {
      Mapping mapping = parse(json, rules);
      MappingChecks.check(mapping);
      return new Merge.Merged(mapping, true);
    } catch (ApiException e) {
      return new Merge.Refused(e.error());
    }
  }

  /**
   * Adds the fields of another mapping. The merge is refused as a whole if the type of a field
   * would change or a limit would be exceeded.
   */
  public Merge merge(String json) {
    try {
      Mapping merged = MappingMerger.merge(this, parse(json, rules), MappingParser.mentions(json));
      MappingChecks.check(merged);
      return new Merge.Merged(merged, !merged.toJson().equals(toJson()));
    } catch (ApiException e) {
      return new Merge.Refused(e.error());
    }
  }

  /**
   * A field with values, by its full name or an alias, including multi-fields; null if there is
   * none.
   */
  public @Nullable LeafField leaf(String path) {
    LeafField field = leaves.get(path);
    if (field != null) {
      return field;
    }
    String target = aliases.get(path);
    if (target != null) {
      return leaves.get(target);
    }
    return flatKey(path);
  }

  /** The field of a key within a flat object, which no mapping defines. */
  private @Nullable LeafField flatKey(String path) {
    for (int dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
      LeafField above = leaves.get(path.substring(0, dot));
      if (above != null) {
        return above.type() == FieldType.FLAT_OBJECT
            ? new LeafField(path, FieldType.FLAT_OBJECT, above.parameters(), new TreeMap<>(), rules)
            : null;
      }
    }
    return null;
  }

  /** An object by its full name; the root for an empty name. */
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

  /** The innermost nested object that contains a field or object; null for none. */
  public @Nullable ObjectField nestedAround(String path) {
    ObjectField innermost = null;
    for (ObjectField object : nested.values()) {
      if (path.startsWith(object.path() + ".")
          && (innermost == null || object.path().length() > innermost.path().length())) {
        innermost = object;
      }
    }
    return innermost;
  }

  public boolean sourceEnabled() {
    return options.source().enabled();
  }

  /** The mapping's JSON, the same for equal mappings. */
  public String toJson() {
    return new String(Json.write(toMap()), StandardCharsets.UTF_8);
  }

  /** The mapping's JSON as maps. */
  public Map<String, Object> toMap() {
    return MappingWriter.toMap(this);
  }
}
