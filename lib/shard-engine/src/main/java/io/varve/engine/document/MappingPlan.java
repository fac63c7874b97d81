package io.varve.engine.document;

import io.varve.engine.fields.FieldWriter;
import io.varve.search.mapping.Dynamic;
import io.varve.search.mapping.FieldMapping;
import io.varve.search.mapping.FieldMapping.AliasField;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping prepared for parsing documents: fields by name within their object, numbered so that
 * duplicates are detected with a bit set.
 *
 * @param writers of leaf fields, by full name
 */
public record MappingPlan(
    long version, Mapping mapping, Node.Branch root, Map<String, FieldWriter> writers) {

  /** A field within its object. */
  public sealed interface Node {

    /** Numbers the fields of an object, from 0. */
    int ordinal();

    record Branch(int ordinal, ObjectField field, Map<String, Node> children) implements Node {

      @Nullable Node child(String name) {
        return children.get(name);
      }

      String path() {
        return field.path();
      }

      Dynamic dynamic() {
        return field.dynamic();
      }
    }

    /** A leaf field. */
    record Leaf(int ordinal, FieldWriter writer, boolean wantsText, boolean wantsWhole)
        implements Node {

      LeafField field() {
        return writer.field();
      }
    }

    /** An alias of another field, which can't be written to. */
    record Alias(int ordinal, AliasField field) implements Node {}
  }

  public static MappingPlan of(long version, String json, MappingRules rules) {
    Mapping mapping = Mapping.parse(json, rules);
    Map<String, FieldWriter> writers = new HashMap<>();
    return new MappingPlan(version, mapping, branch(0, mapping.root(), writers), writers);
  }

  private static Node.Branch branch(
      int ordinal, ObjectField object, Map<String, FieldWriter> writers) {
    Map<String, Node> children = new HashMap<>();
    object
        .properties()
        .forEach((name, child) -> children.put(name, node(children.size(), child, writers)));
    return new Node.Branch(ordinal, object, children);
  }

  private static Node node(int ordinal, FieldMapping field, Map<String, FieldWriter> writers) {
    return switch (field) {
      case ObjectField object -> branch(ordinal, object, writers);
      case AliasField alias -> new Node.Alias(ordinal, alias);
      case LeafField leaf -> {
        FieldWriter writer = new FieldWriter(leaf);
        writers.put(leaf.path(), writer);
        yield new Node.Leaf(ordinal, writer, Scalars.wantsText(leaf), writer.takesWholeValue());
      }
    };
  }
}
