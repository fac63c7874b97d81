package io.varve.search.query;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.search.json.JsonValue;
import io.varve.search.mapping.GeoPoint;
import io.varve.search.mapping.ValueException;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The option {@code validation_method}, which determines how coordinates out of range are handled.
 */
public enum GeoValidation {
  /** They are refused. */
  STRICT,
  /** They are normalized. */
  COERCE,
  /** The query matches nothing. */
  IGNORE_MALFORMED;

  public static GeoValidation of(@Nullable String name) {
    if (name == null) {
      return STRICT;
    }
    for (GeoValidation method : values()) {
      if (method.name().equals(name.toUpperCase(Locale.ROOT))) {
        return method;
      }
    }
    throw new ApiException(
        ErrorBody.illegalArgument(
            "operator needs to be either STRICT, COERCE, or IGNORE_MALFORMED, but not ["
                + name
                + "]"));
  }

  /**
   * @param plain a point in JSON
   */
  public GeoPoint point(Object plain) {
    return this == COERCE ? GeoPoint.parseWrapped(plain) : GeoPoint.parse(plain);
  }

  /** Parses a point inside {@link #query}. */
  GeoPoint point(JsonValue value) {
    Object plain = value.plain();
    if (plain == null) {
      throw value.refused("geo_point expected");
    }
    return point(plain);
  }

  /** Builds a query from points. */
  Query query(Supplier<Query> made) {
    try {
      return made.get();
    } catch (ValueException e) {
      if (this == IGNORE_MALFORMED) {
        return new Query.MatchNone();
      }
      throw new ApiException(e.error());
    }
  }
}
