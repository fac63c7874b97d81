package io.varve.search.aggregation;

import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * The field whose values are aggregated.
 *
 * @param missing value of documents without one, or null to skip them
 * @param format format of values in the response, or null for the field's own
 * @param valueType type to assume where no mapping has the field, or null
 * @param zone time zone in which dates are formatted and rounded, or null for UTC
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
