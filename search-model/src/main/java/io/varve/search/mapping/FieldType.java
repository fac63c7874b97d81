package io.varve.search.mapping;

import static io.varve.search.mapping.Parameter.ANALYZER;
import static io.varve.search.mapping.Parameter.DOC_VALUES;
import static io.varve.search.mapping.Parameter.FORMAT;
import static io.varve.search.mapping.Parameter.IGNORE_ABOVE;
import static io.varve.search.mapping.Parameter.INDEX;
import static io.varve.search.mapping.Parameter.NORMALIZER;
import static io.varve.search.mapping.Parameter.NORMS;
import static io.varve.search.mapping.Parameter.NULL_VALUE;
import static io.varve.search.mapping.Parameter.SCALING_FACTOR;
import static io.varve.search.mapping.Parameter.SEARCH_ANALYZER;
import static io.varve.search.mapping.Parameter.STORE;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The types that a field of values can have, each with the parameters that it takes. */
public enum FieldType {
  TEXT(ANALYZER, SEARCH_ANALYZER, INDEX, STORE, NORMS),
  KEYWORD(INDEX, DOC_VALUES, IGNORE_ABOVE, NULL_VALUE, NORMALIZER),
  LONG(INDEX, DOC_VALUES, NULL_VALUE),
  INTEGER(INDEX, DOC_VALUES, NULL_VALUE),
  SHORT(INDEX, DOC_VALUES, NULL_VALUE),
  BYTE(INDEX, DOC_VALUES, NULL_VALUE),
  DOUBLE(INDEX, DOC_VALUES, NULL_VALUE),
  FLOAT(INDEX, DOC_VALUES, NULL_VALUE),
  HALF_FLOAT(INDEX, DOC_VALUES, NULL_VALUE),
  SCALED_FLOAT(SCALING_FACTOR, INDEX, DOC_VALUES, NULL_VALUE),
  BOOLEAN(INDEX, DOC_VALUES, NULL_VALUE),
  DATE(FORMAT, INDEX, DOC_VALUES, NULL_VALUE),
  IP(INDEX, DOC_VALUES, NULL_VALUE),
  GEO_POINT(INDEX, DOC_VALUES);

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<Parameter> parameters;

  FieldType(Parameter... parameters) {
    this.parameters = List.of(parameters);
  }

  public String json() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** In the order in which a mapping shows them. */
  public List<Parameter> parameters() {
    return parameters;
  }

  /** Whole numbers, without dates. */
  public boolean isWhole() {
    return this == LONG || this == INTEGER || this == SHORT || this == BYTE;
  }

  public boolean isNumber() {
    return isWhole()
        || this == DOUBLE
        || this == FLOAT
        || this == HALF_FLOAT
        || this == SCALED_FLOAT;
  }

  static @Nullable FieldType named(String json) {
    for (FieldType type : values()) {
      if (type.json().equals(json)) {
        return type;
      }
    }
    return null;
  }

  /** Checked here so that a document never meets a null value that its field can't hold. */
  Object readNullValue(String path, Object value) {
    try {
      switch (this) {
        case LONG, INTEGER, SHORT, BYTE -> {
          var _ = Values.whole(this, value);
        }
        case DOUBLE, FLOAT, HALF_FLOAT, SCALED_FLOAT -> {
          var _ = Values.decimal(this, value);
        }
        case BOOLEAN -> {
          var _ = Values.truth(value);
        }
        case IP -> {
          var _ = Values.address(value.toString());
        }
        case DATE, KEYWORD, TEXT, GEO_POINT -> {}
      }
      return value;
    } catch (ValueException e) {
      throw MappingErrors.parsing(
          "Failed to parse [null_value] of field [" + path + "] of type [" + json() + "]", e);
    }
  }
}
