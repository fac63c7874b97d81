package io.varve.events;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON format of all records and bodies that Varve writes: snake_case names; unknown properties
 * are ignored, so that versions can mix. A missing number or flag makes a record malformed unless
 * the record declares a default.
 */
public final class Json {

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  private Json() {}

  /** The mapper itself, for trees and streams. */
  public static JsonMapper mapper() {
    return MAPPER;
  }

  public static byte[] write(Object value) {
    return MAPPER.writeValueAsBytes(value);
  }

  public static <T> T read(byte[] json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (JacksonException e) {
      throw new MalformedRecordException(
          "not a " + type.getSimpleName() + ": " + e.getOriginalMessage(), e);
    }
  }
}
