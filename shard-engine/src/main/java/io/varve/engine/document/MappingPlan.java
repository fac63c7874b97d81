package io.varve.engine.document;

import io.varve.engine.fields.MappedFields;
import io.varve.search.mapping.Dynamic;
import io.varve.search.mapping.FieldMapping;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import io.varve.search.mapping.Mapping;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping laid out for reading documents: each object's fields by name, numbered so that a
 * repeated one is seen by a bit.
 */
record MappingPlan(long version, Mapping mapping, Node.Branch root) {

  /** A field at its place in its object. */
  sealed interface Node {

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
    record Leaf(int ordinal, LeafField field, boolean wantsText, boolean wantsWhole)
        implements Node {}
  }

  static MappingPlan of(long version, String json) {
    Mapping mapping = Mapping.parse(json);
    return new MappingPlan(version, mapping, branch(0, mapping.root()));
  }

  private static Node.Branch branch(int ordinal, ObjectField object) {
    Map<String, Node> children = new HashMap<>();
    object.properties().forEach((name, child) -> children.put(name, node(children.size(), child)));
    return new Node.Branch(ordinal, object, children);
  }

  private static Node node(int ordinal, FieldMapping field) {
    return switch (field) {
      case ObjectField object -> branch(ordinal, object);
      case LeafField leaf ->
          new Node.Leaf(ordinal, leaf, Scalars.wantsText(leaf), wantsWhole(leaf));
    };
  }

  private static boolean wantsWhole(LeafField leaf) {
    return MappedFields.takesWholeValue(leaf);
  }
}
