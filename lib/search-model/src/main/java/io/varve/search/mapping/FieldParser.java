package io.varve.search.mapping;

import io.varve.rpc.ApiException;
import io.varve.search.mapping.FieldMapping.LeafField;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Parses the definitions of fields with values. */
final class FieldParser {

  private final MappingRules rules;

  FieldParser(MappingRules rules) {
    this.rules = rules;
  }

  /**
   * @param rest the definition without its type
   */
  LeafField leaf(
      String path, String name, String typeName, Map<String, Object> rest, boolean mayHaveFields) {
    FieldType type = FieldType.named(typeName);
    if (type == null) {
      throw MappingErrors.parsing(
          "No handler for type [" + typeName + "] declared on field [" + name + "]");
    }
    Object fields = mayHaveFields ? rest.remove("fields") : null;
    Map<Parameter, Object> parameters = new EnumMap<>(Parameter.class);
    ParameterReader reader = new ParameterReader(rules.analysis(), name, type);
    for (Parameter parameter : type.parameters()) {
      if (!rest.containsKey(parameter.json())) {
        continue;
      }
      Object value = rest.remove(parameter.json());
      // {@code null_value: null} is the same as no null_value.
      if (value != null || parameter != Parameter.NULL_VALUE) {
        parameters.put(parameter, reader.read(parameter, value));
      }
    }
    if (!rest.isEmpty()) {
      throw unknown(rest.keySet().iterator().next(), name, typeName);
    }
    LeafField leaf = new LeafField(path, type, parameters, subFields(path, fields), rules);
    check(leaf, name, mayHaveFields);
    return leaf;
  }

  static ApiException unknown(String parameter, String field, String type) {
    return MappingErrors.parsing(
        "unknown parameter [" + parameter + "] on mapper [" + field + "] of type [" + type + "]");
  }

  private SortedMap<String, LeafField> subFields(String path, @Nullable Object value) {
    SortedMap<String, LeafField> fields = new TreeMap<>();
    if (value == null || (value instanceof List<?> list && list.isEmpty())) {
      return fields;
    }
    MappingParser.map("fields", value)
        .forEach((name, definition) -> {
          if (name.isEmpty() || name.indexOf('.') >= 0) {
            throw MappingErrors.parsing(
                "Field name ["
                    + name
                    + "] which is a multi field of ["
                    + path
                    + "] cannot contain '.'");
          }
          Map<String, Object> rest = new LinkedHashMap<>(MappingParser.map(name, definition));
          Object type = rest.remove("type");
          if (type == null) {
            throw MappingErrors.parsing("no type specified for property [" + name + "]");
          }
          if (type.equals("object") || type.equals("nested") || type.equals("alias")) {
            throw MappingErrors.parsing("Type [" + type + "] cannot be used in multi field");
          }
          fields.put(name, leaf(path + "." + name, name, type.toString(), rest, false));
        });
    return fields;
  }

  private static void check(LeafField leaf, String name, boolean top) {
    switch (leaf.type()) {
      case SCALED_FLOAT ->
          require(leaf, Parameter.SCALING_FACTOR, "Field [scaling_factor] is required");
      case CONSTANT_KEYWORD ->
          require(
              leaf, Parameter.VALUE, "Field [" + name + "] is missing required parameter [value]");
      case TOKEN_COUNT ->
          require(
              leaf,
              Parameter.ANALYZER,
              "Analyzer must be set for field [" + name + "] but wasn't.");
      case TEXT -> checkText(leaf);
      default -> {}
    }
    if (!top && !leaf.copyTo().isEmpty()) {
      throw MappingErrors.parsing(
          "copy_to in multi fields is not allowed. Found the copy_to in field ["
              + name
              + "] which is within a multi field.");
    }
    checkNullValue(leaf);
  }

  private static void require(LeafField leaf, Parameter parameter, String otherwise) {
    if (!leaf.parameters().containsKey(parameter)) {
      throw MappingErrors.parsing(otherwise);
    }
  }

  private static void checkText(LeafField leaf) {
    if (!leaf.indexed() && leaf.indexPrefixes() != null) {
      throw MappingErrors.illegal(
          "Cannot set index_prefixes on unindexed field [" + leaf.path() + "]");
    }
    if (leaf.indexPhrases() && (!leaf.indexed() || !leaf.hasPositions())) {
      throw MappingErrors.illegal(
          leaf.indexed()
              ? "Cannot set index_phrases on field ["
                  + leaf.path()
                  + "] if positions are not enabled"
              : "Cannot set index_phrases on unindexed field [" + leaf.path() + "]");
    }
    if (!leaf.indexed() && leaf.fielddata()) {
      throw MappingErrors.illegal(
          "Cannot enable fielddata on a [text] field that is not indexed: [" + leaf.path() + "]");
    }
    if (leaf.parameters().containsKey(Parameter.POSITION_INCREMENT_GAP) && !leaf.hasPositions()) {
      throw MappingErrors.illegal(
          "Cannot set position_increment_gap on field ["
              + leaf.path()
              + "] without positions enabled");
    }
  }

  /**
   * Checks that the field can represent its {@code null_value}, so that parsing a document never
   * fails because of it.
   */
  private static void checkNullValue(LeafField leaf) {
    Object nullValue = leaf.nullValue();
    if (nullValue == null) {
      return;
    }
    try {
      switch (leaf.type()) {
        case LONG, INTEGER, SHORT, BYTE, TOKEN_COUNT -> {
          var _ = Values.whole(leaf.type(), nullValue);
        }
        case UNSIGNED_LONG -> {
          var _ = Values.unsigned(nullValue);
        }
        case DOUBLE, FLOAT, HALF_FLOAT, SCALED_FLOAT -> {
          var _ = Values.decimal(leaf.type(), nullValue);
        }
        case BOOLEAN -> {
          var _ = Values.truth(nullValue);
        }
        case IP -> {
          var _ = Values.address(nullValue.toString());
        }
        case DATE -> {
          var _ = leaf.dateFormat().parse(nullValue);
        }
        case DATE_NANOS -> {
          var _ = leaf.dateFormat().parseNanos(nullValue);
        }
        case GEO_POINT -> {
          var _ = GeoPoint.parseAll(nullValue);
        }
        default -> {}
      }
    } catch (ValueException e) {
      throw MappingErrors.parsing(
          "Error parsing [null_value] on field [" + leaf.path() + "]: " + e.getMessage(), e);
    }
  }
}
