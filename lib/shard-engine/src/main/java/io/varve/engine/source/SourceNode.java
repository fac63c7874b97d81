package io.varve.engine.source;

import io.varve.search.mapping.FieldMapping;
import io.varve.search.mapping.FieldMapping.AliasField;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import io.varve.search.mapping.FieldType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A node of the tree of field names whose values in a source may also be in doc values. Names that
 * are not mapped, or have no doc values, have no node.
 *
 * @param kind of the values here
 * @param children by name; those of a point are {@code lat} and {@code lon}
 * @param derivations of the values here
 */
record SourceNode(Kind kind, Map<String, SourceNode> children, List<Derivation> derivations) {

  enum Kind {
    OBJECT,
    POINT,
    VALUES,
    /** Values that are in the mapping. */
    CONSTANT
  }

  static final String LATITUDE = "lat";
  static final String LONGITUDE = "lon";

  static SourceNode of(ObjectField object) {
    Map<String, SourceNode> children = new HashMap<>();
    if (object.enabled() && !object.isNested()) {
      object
          .properties()
          .forEach((name, field) -> {
            SourceNode place = of(field);
            if (place.leads()) {
              children.put(name, place);
            }
          });
    }
    return new SourceNode(Kind.OBJECT, children, List.of());
  }

  private static SourceNode of(FieldMapping field) {
    return switch (field) {
      case ObjectField object -> of(object);
      case AliasField _ -> new SourceNode(Kind.OBJECT, Map.of(), List.of());
      case LeafField leaf -> leaf.type() == FieldType.GEO_POINT ? point(leaf) : values(leaf);
    };
  }

  private static SourceNode point(LeafField leaf) {
    if (!usable(leaf)) {
      return new SourceNode(Kind.OBJECT, Map.of(), List.of());
    }
    return new SourceNode(
        Kind.POINT,
        Map.of(
            LATITUDE, derived(new Derivation.OfNumbers(leaf, "yY")),
            LONGITUDE, derived(new Derivation.OfNumbers(leaf, "xX"))),
        List.of());
  }

  private static SourceNode derived(Derivation derivation) {
    return new SourceNode(Kind.VALUES, Map.of(), List.of(derivation));
  }

  /** A text has no doc values, but a keyword sub-field may. */
  private static SourceNode values(LeafField leaf) {
    List<Derivation> derivations = new ArrayList<>();
    add(leaf, derivations);
    leaf.fields().values().forEach(sub -> add(sub, derivations));
    boolean constant = leaf.type() == FieldType.CONSTANT_KEYWORD;
    return new SourceNode(constant ? Kind.CONSTANT : Kind.VALUES, Map.of(), derivations);
  }

  private static void add(LeafField leaf, List<Derivation> to) {
    if (!usable(leaf)) {
      return;
    }
    switch (leaf.type()) {
      case KEYWORD, WILDCARD -> to.add(new Derivation.OfTerms(leaf, "kar"));
      case IP -> to.add(new Derivation.OfTerms(leaf, "i"));
      case BINARY -> to.add(new Derivation.OfTerms(leaf, "b"));
      case LONG, INTEGER, SHORT, BYTE -> to.add(new Derivation.OfNumbers(leaf, "l"));
      case UNSIGNED_LONG -> to.add(new Derivation.OfNumbers(leaf, "u"));
      case BOOLEAN -> to.add(new Derivation.OfNumbers(leaf, "b"));
      case DOUBLE -> to.add(new Derivation.OfNumbers(leaf, "d"));
      case FLOAT, HALF_FLOAT -> to.add(new Derivation.OfNumbers(leaf, "fw"));
      case SCALED_FLOAT -> to.add(new Derivation.OfNumbers(leaf, "s"));
      case DATE -> to.add(new Derivation.OfNumbers(leaf, "lt"));
      case DATE_NANOS -> to.add(new Derivation.OfNumbers(leaf, "mT"));
      default -> {}
    }
  }

  /** Whether a shape can name the field: shapes use control characters as markers. */
  private static boolean usable(LeafField leaf) {
    return leaf.docValues() && leaf.path().chars().noneMatch(c -> c < ' ');
  }

  private boolean leads() {
    return !children.isEmpty() || !derivations.isEmpty() || kind == Kind.CONSTANT;
  }

  /** The node of a name within an object; a name with dots refers to a deeper node. */
  @Nullable SourceNode child(String name) {
    SourceNode own = children.get(name);
    if (own != null) {
      return own;
    }
    for (int dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
      SourceNode inner = children.get(name.substring(0, dot));
      if (inner != null) {
        return inner.child(name.substring(dot + 1));
      }
    }
    return null;
  }
}
