package io.varve.search.mapping;

import io.varve.search.mapping.FieldMapping.AliasField;
import io.varve.search.mapping.FieldMapping.LeafField;
import io.varve.search.mapping.FieldMapping.ObjectField;
import java.util.Objects;

/** Checks constraints on a mapping as a whole, at every change. */
final class MappingChecks {

  private MappingChecks() {}

  static void check(Mapping mapping) {
    MappingRules.Limits limits = mapping.rules().limits();
    int total = mapping.leaves().size() + mapping.aliases().size() + objectsIn(mapping.root());
    if (total > limits.totalFields()) {
      throw MappingErrors.illegal(
          "Limit of total fields [" + limits.totalFields() + "] has been exceeded");
    }
    if (mapping.nested().size() > limits.nestedFields()) {
      throw MappingErrors.illegal(
          "Limit of nested fields [" + limits.nestedFields() + "] has been exceeded");
    }
    if (mapping.rules().derivedSource() && !mapping.sourceEnabled()) {
      throw MappingErrors.parsing(
          "_source can't be disabled with index.derived_source.enabled enabled index setting");
    }
    mapping.root().properties().values().forEach(MappingChecks::checkName);
    check(mapping, mapping.root(), 0);
    mapping.leaves().values().forEach(field -> checkCopies(mapping, field));
  }

  private static int objectsIn(ObjectField object) {
    int count = 0;
    for (FieldMapping field : object.properties().values()) {
      count += field instanceof ObjectField inner ? 1 + objectsIn(inner) : 0;
    }
    return count;
  }

  private static void checkName(FieldMapping field) {
    if (ReservedNames.contains(field.path())) {
      throw MappingErrors.parsing(
          switch (field) {
            case ObjectField _ ->
                "Field [" + field.path() + "] is defined both as an object and a field";
            case AliasField _ ->
                "Alias [" + field.path() + "] is defined both as an alias and a concrete field";
            case LeafField _ -> "Field [" + field.path() + "] is defined more than once";
          });
    }
  }

  private static void check(Mapping mapping, ObjectField object, int depth) {
    MappingRules.Limits limits = mapping.rules().limits();
    if (depth >= limits.depth()) {
      throw MappingErrors.illegal(
          "Limit of mapping depth ["
              + limits.depth()
              + "] has been exceeded due to object field ["
              + object.path()
              + "]");
    }
    object
        .properties()
        .forEach((name, field) -> {
          if (name.length() > limits.fieldNameLength()) {
            throw MappingErrors.illegal(
                "Field name ["
                    + name
                    + "] is longer than the limit of ["
                    + limits.fieldNameLength()
                    + "] characters");
          }
          switch (field) {
            case ObjectField inner -> check(mapping, inner, depth + 1);
            case AliasField alias -> checkAlias(mapping, alias);
            case LeafField leaf -> {}
          }
        });
  }

  private static void checkAlias(Mapping mapping, AliasField alias) {
    String invalid =
        "Invalid [path] value [" + alias.target() + "] for field alias [" + alias.path() + "]: ";
    if (alias.target().equals(alias.path())) {
      throw MappingErrors.parsing(invalid + "an alias cannot refer to itself.");
    }
    if (mapping.aliases().containsKey(alias.target())) {
      throw MappingErrors.parsing(invalid + "an alias cannot refer to another alias.");
    }
    if (!mapping.leaves().containsKey(alias.target())) {
      throw MappingErrors.parsing(
          invalid + "an alias must refer to an existing field in the mappings.");
    }
    ObjectField aliasIn = mapping.nestedAround(alias.path());
    ObjectField targetIn = mapping.nestedAround(alias.target());
    if (!Objects.equals(aliasIn, targetIn)) {
      throw MappingErrors.illegal(
          invalid
              + "an alias must have the same nested scope as its target. The alias "
              + (aliasIn == null ? "is not nested" : "is nested under [" + aliasIn.path() + "]")
              + ", but the target "
              + (targetIn == null
                  ? "is not nested."
                  : "is nested under [" + targetIn.path() + "]."));
    }
  }

  private static void checkCopies(Mapping mapping, LeafField field) {
    for (String target : field.copyTo()) {
      if (mapping.object(target) != null) {
        throw MappingErrors.illegal(
            "Cannot copy to field [" + target + "] since it is mapped as an object");
      }
      ObjectField from = mapping.nestedAround(field.path());
      ObjectField to = mapping.nestedAround(target);
      if (to != null && (from == null || !(from.path() + ".").startsWith(to.path() + "."))) {
        throw MappingErrors.illegal(
            "Illegal combination of [copy_to] and [nested] mappings: [copy_to] may only copy data"
                + " to the current nested document or any of its parents, however one [copy_to]"
                + " directive is trying to copy data from nested object ["
                + (from == null ? null : from.path())
                + "] to ["
                + to.path()
                + "]");
      }
    }
  }
}
