package io.varve.search.aggregation;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The field whose values are looked at.
 *
 * @param missing stands for the value of documents without one, or null
 * @param format how values are written, or null for the field's own
 * @param valueType the type to assume where no mapping has the field, or null
 * @param zone in which dates are written and rounded, or null for UTC
 */
public record FieldSource(
    String field,
    @Nullable Object missing,
    @Nullable String format,
    @Nullable String valueType,
    @Nullable ZoneId zone) {

  public static FieldSource of(String field) {
    return new FieldSource(field, null, null, null, null);
  }
}
