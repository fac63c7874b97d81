package io.varve.engine.document;

import io.varve.engine.fields.FieldWriter;
import io.varve.engine.fields.PlainValues;
import io.varve.search.mapping.Dynamic;
import io.varve.search.mapping.FieldMapping;
import io.varve.search.mapping.FieldMapping.AliasField;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import io.varve.search.mapping.Mapping;
import io.varve.search.mapping.MappingRules;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
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

    /**
     * An object.
     *
     * @param names the ordinals of the children by name
     * @param byOrdinal the children by ordinal
     */
    record Branch(
        int ordinal,
        ObjectField field,
        Map<String, Node> children,
        NameTable names,
        List<Node> byOrdinal)
        implements Node {

      static Branch of(int ordinal, ObjectField field, Map<String, Node> children) {
        Map<String, Integer> ordinals = new HashMap<>();
        children.forEach((name, child) -> ordinals.put(name, child.ordinal()));
        return new Branch(
            ordinal,
            field,
            children,
            new NameTable(ordinals),
            children.values().stream().sorted(Comparator.comparingInt(Node::ordinal)).toList());
      }

      @Nullable Node child(String name) {
        return children.get(name);
      }

      Node numbered(int childOrdinal) {
        return byOrdinal.get(childOrdinal);
      }

      String path() {
        return field.path();
      }

      Dynamic dynamic() {
        return field.dynamic();
      }
    }

    /**
     * A leaf field.
     *
     * @param plain adds values in plain notation; {@code null} if a document with this field is not
     *     read by {@link PlainReader}
     */
    record Leaf(
        int ordinal,
        FieldWriter writer,
        boolean wantsText,
        boolean wantsWhole,
        @Nullable PlainValues plain)
        implements Node {

      static Leaf of(int ordinal, FieldWriter writer) {
        return new Leaf(
            ordinal,
            writer,
            Scalars.wantsText(writer.field()),
            writer.takesWholeValue(),
            PlainValues.of(writer));
      }

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
    return Node.Branch.of(ordinal, object, children);
  }

  private static Node node(int ordinal, FieldMapping field, Map<String, FieldWriter> writers) {
    return switch (field) {
      case ObjectField object -> branch(ordinal, object, writers);
      case AliasField alias -> new Node.Alias(ordinal, alias);
      case LeafField leaf -> {
        FieldWriter writer = new FieldWriter(leaf);
        writers.put(leaf.path(), writer);
        yield Node.Leaf.of(ordinal, writer);
      }
    };
  }
}
