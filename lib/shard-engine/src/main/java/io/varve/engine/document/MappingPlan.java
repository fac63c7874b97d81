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
 * A mapping laid out for reading documents: each object's fields by name, numbered so that a
 * repeated one is seen by a bit.
 *
 * @param writers of fields with values, by their full names
 */
public record MappingPlan(
    long version, Mapping mapping, Node.Branch root, Map<String, FieldWriter> writers) {

  /** A field at its place in its object. */
  public sealed interface Node {

    /** Counts the fields of an object, from 0. */
    int ordinal();

    /** An object. */
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

    /** A field with values. */
    record Leaf(int ordinal, FieldWriter writer, boolean wantsText, boolean wantsWhole)
        implements Node {

      LeafField field() {
        return writer.field();
      }
    }

    /** Another field's name, under which nothing can be written. */
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
