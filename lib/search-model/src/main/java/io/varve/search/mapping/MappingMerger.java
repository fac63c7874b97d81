package io.varve.search.mapping;

import io.varve.search.mapping.FieldMapping.AliasField;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges one mapping into another. Fields are added and never removed; a field keeps its type and
 * all parameters that existing segments depend on.
 */
final class MappingMerger {

  private MappingMerger() {}

  static Mapping merge(Mapping old, Mapping other, Set<String> mentioned) {
    Dynamic declared = other.root().declaredDynamic();
    if (mentioned.contains("enabled") && old.root().enabled() != other.root().enabled()) {
      throw MappingErrors.mapper(
          "the [enabled] parameter can't be updated for the object mapping [_doc]");
    }
    ObjectField root =
        object(old.root(), other.root(), declared == null ? old.root().dynamic() : declared);
    return Mapping.of(root, options(old.options(), other.options(), mentioned), old.rules());
  }

  private static RootOptions options(RootOptions old, RootOptions other, Set<String> mentioned) {
    if (mentioned.contains("_source") && !old.source().equals(other.source())) {
      StringJoiner conflicts = new StringJoiner("\n\t");
      conflict(conflicts, "enabled", old.source().enabled(), other.source().enabled());
      conflict(conflicts, "includes", old.source().includes(), other.source().includes());
      conflict(conflicts, "excludes", old.source().excludes(), other.source().excludes());
      throw conflict("_source", conflicts.toString());
    }
    if (mentioned.contains("_routing") && old.routingRequired() != other.routingRequired()) {
      throw conflict(
          "_routing", cannotUpdate("required", old.routingRequired(), other.routingRequired()));
    }
    RootOptions.Detection detected = other.detection();
    return new RootOptions(
        old.source(),
        new RootOptions.Detection(
            mentioned.contains("date_detection") ? detected.dates() : old.detection().dates(),
            mentioned.contains("numeric_detection")
                ? detected.numbers()
                : old.detection().numbers(),
            mentioned.contains("dynamic_date_formats")
                ? detected.dateFormats()
                : old.detection().dateFormats()),
        mentioned.contains("dynamic_templates")
            ? templates(old.templates(), other.templates())
            : old.templates(),
        old.routingRequired(),
        mentioned.contains("_meta") ? other.meta() : old.meta());
  }

  private static void conflict(StringJoiner into, String name, Object from, Object to) {
    if (!from.equals(to)) {
      into.add(cannotUpdate(name, from, to));
    }
  }

  /** A template replaces the one with the same name; a new one is appended. */
  private static List<DynamicTemplate> templates(
      List<DynamicTemplate> old, List<DynamicTemplate> other) {
    Map<String, DynamicTemplate> byName = new LinkedHashMap<>();
    old.forEach(template -> byName.put(template.name(), template));
    other.forEach(template -> byName.put(template.name(), template));
    return List.copyOf(byName.values());
  }

  private static ObjectField object(ObjectField old, ObjectField other, Dynamic inherited) {
    Dynamic declared =
        other.declaredDynamic() != null ? other.declaredDynamic() : old.declaredDynamic();
    Dynamic effective = declared == null ? inherited : declared;
    checkNesting(old, other);
    if (old.enabled() && !other.enabled()) {
      throw MappingErrors.mapper(
          "the [enabled] parameter can't be updated for the object mapping [" + old.path() + "]");
    }
    SortedMap<String, FieldMapping> properties = new TreeMap<>();
    old.properties().forEach((name, field) -> properties.put(name, inheriting(field, effective)));
    other
        .properties()
        .forEach((name, field) -> {
          FieldMapping known = properties.get(name);
          properties.put(
              name, known == null ? inheriting(field, effective) : field(known, field, effective));
        });
    return new ObjectField(
        old.path(), declared, effective, old.enabled(), old.nesting(), properties);
  }

  private static void checkNesting(ObjectField old, ObjectField other) {
    if (old.path().isEmpty()) {
      return;
    }
    if (old.isNested() && !other.isNested()) {
      throw MappingErrors.illegal("cannot change object mapping from nested to non-nested");
    }
    if (!old.isNested() && other.isNested()) {
      throw MappingErrors.illegal("cannot change object mapping from non-nested to nested");
    }
    if (old.isNested() && !Objects.equals(old.nesting(), other.nesting())) {
      throw MappingErrors.mapper(
          "the [include_in_parent] and [include_in_root] parameters can't be updated on a nested"
              + " object mapping");
    }
  }

  /** A copy of the field with recomputed inherited values. */
  private static FieldMapping inheriting(FieldMapping field, Dynamic inherited) {
    if (!(field instanceof ObjectField object)) {
      return field;
    }
    Dynamic effective = object.declaredDynamic() == null ? inherited : object.declaredDynamic();
    if (effective == object.dynamic()) {
      return object;
    }
    SortedMap<String, FieldMapping> properties = new TreeMap<>();
    object
        .properties()
        .forEach((name, inner) -> properties.put(name, inheriting(inner, effective)));
    return new ObjectField(
        object.path(),
        object.declaredDynamic(),
        effective,
        object.enabled(),
        object.nesting(),
        properties);
  }

  private static FieldMapping field(FieldMapping old, FieldMapping other, Dynamic inherited) {
    return switch (old) {
      case ObjectField object when other instanceof ObjectField o -> object(object, o, inherited);
      case LeafField leaf when other instanceof LeafField o -> leaf(leaf, o);
      case AliasField alias when other instanceof AliasField o -> o;
      case ObjectField object ->
          throw MappingErrors.illegal(
              "can't merge a non object mapping [" + object.path() + "] with an object mapping");
      case LeafField leaf -> throw changedType(leaf.path(), leaf.type().json(), kind(other));
      case AliasField alias -> throw changedType(alias.path(), "alias", kind(other));
    };
  }

  private static String kind(FieldMapping field) {
    return switch (field) {
      case ObjectField object -> object.isNested() ? "nested" : "ObjectMapper";
      case LeafField leaf -> leaf.type().json();
      case AliasField alias -> "alias";
    };
  }

  private static LeafField leaf(LeafField old, LeafField other) {
    if (old.type() != other.type()) {
      throw changedType(old.path(), old.type().json(), other.type().json());
    }
    Map<Parameter, Object> parameters = new EnumMap<>(Parameter.class);
    StringJoiner conflicts = new StringJoiner("\n\t");
    for (Parameter parameter : old.type().parameters()) {
      Object from = old.value(parameter);
      Object to = other.value(parameter);
      if (!Objects.equals(from, to) && !parameter.allowsChange(old.type(), from, to)) {
        conflicts.add(cannotUpdate(parameter.json(), from, to));
      }
      if (to != null) {
        parameters.put(parameter, to);
      }
    }
    if (conflicts.length() > 0) {
      throw conflict(old.path(), conflicts.toString());
    }
    SortedMap<String, LeafField> fields = new TreeMap<>(old.fields());
    other.fields().forEach((name, field) -> fields.merge(name, field, MappingMerger::leaf));
    return new LeafField(old.path(), old.type(), parameters, fields, old.rules());
  }

  private static RuntimeException changedType(String path, String from, String to) {
    return MappingErrors.illegal(
        "mapper [" + path + "] cannot be changed from type [" + from + "] to [" + to + "]");
  }

  private static String cannotUpdate(String parameter, @Nullable Object from, @Nullable Object to) {
    return "Cannot update parameter [" + parameter + "] from [" + from + "] to [" + to + "]";
  }

  private static RuntimeException conflict(String path, String conflicts) {
    return MappingErrors.illegal(
        "Mapper for [" + path + "] conflicts with existing mapper:\n\t" + conflicts);
  }
}
