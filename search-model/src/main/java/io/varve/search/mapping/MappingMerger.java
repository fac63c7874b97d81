package io.varve.search.mapping;

import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Merges one mapping into another: fields are added, none is taken away, and a field keeps its type
 * and every parameter that the segments already written depend on.
 */
final class MappingMerger {

  private MappingMerger() {}

  static Mapping merge(Mapping old, Mapping other, Set<String> mentioned) {
    if (mentioned.contains("_source") && old.sourceEnabled() != other.sourceEnabled()) {
      throw conflict(
          "_source", cannotUpdate("enabled", old.sourceEnabled(), other.sourceEnabled()));
    }
    Dynamic declared = other.root().declaredDynamic();
    ObjectField root =
        object(old.root(), other.root(), declared == null ? old.root().dynamic() : declared);
    return Mapping.of(
        root,
        old.sourceEnabled(),
        mentioned.contains("_meta") ? other.meta() : old.meta(),
        mentioned.contains("date_detection") ? other.dateDetection() : old.dateDetection(),
        mentioned.contains("numeric_detection")
            ? other.numericDetection()
            : old.numericDetection());
  }

  private static ObjectField object(ObjectField old, ObjectField other, Dynamic inherited) {
    Dynamic declared =
        other.declaredDynamic() != null ? other.declaredDynamic() : old.declaredDynamic();
    Dynamic effective = declared == null ? inherited : declared;
    if (old.enabled() && !other.enabled()) {
      throw new io.varve.rpc.ApiException(
          400,
          "mapper_exception",
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
    return new ObjectField(old.path(), declared, effective, old.enabled(), properties);
  }

  /** The same field with what it inherits computed anew. */
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
        object.path(), object.declaredDynamic(), effective, object.enabled(), properties);
  }

  private static FieldMapping field(FieldMapping old, FieldMapping other, Dynamic inherited) {
    return switch (old) {
      case ObjectField object when other instanceof ObjectField o -> object(object, o, inherited);
      case LeafField leaf when other instanceof LeafField o -> leaf(leaf, o);
      case ObjectField object ->
          throw MappingErrors.illegal(
              "can't merge a non object mapping [" + object.path() + "] with an object mapping");
      case LeafField leaf -> throw changedType(leaf, "ObjectMapper");
    };
  }

  private static LeafField leaf(LeafField old, LeafField other) {
    if (old.type() != other.type()) {
      throw changedType(old, other.type().json());
    }
    Map<Parameter, Object> parameters = new EnumMap<>(Parameter.class);
    StringJoiner conflicts = new StringJoiner("\n\t");
    for (Parameter parameter : old.type().parameters()) {
      Object from = old.value(parameter);
      Object to = other.value(parameter);
      if (!Objects.equals(from, to) && !parameter.allowsChange(from, to)) {
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
    return new LeafField(old.path(), old.type(), parameters, fields);
  }

  private static RuntimeException changedType(LeafField field, String to) {
    return MappingErrors.illegal(
        "mapper ["
            + field.path()
            + "] cannot be changed from type ["
            + field.type().json()
            + "] to ["
            + to
            + "]");
  }

  private static String cannotUpdate(String parameter, @Nullable Object from, @Nullable Object to) {
    return "Cannot update parameter [" + parameter + "] from [" + from + "] to [" + to + "]";
  }

  private static RuntimeException conflict(String path, String conflicts) {
    return MappingErrors.illegal(
        "Mapper for [" + path + "] conflicts with existing mapper:\n\t" + conflicts);
  }
}
