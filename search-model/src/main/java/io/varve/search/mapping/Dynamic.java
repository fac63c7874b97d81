package io.varve.search.mapping;

import java.util.Locale;

/** What becomes of a field that a document brings and the mapping lacks. */
public enum Dynamic {
  /** It is added to the mapping. */
  TRUE,
  /** It stays in the source alone. */
  FALSE,
  /** The document is refused. */
  STRICT;

  static Dynamic parse(Object value) {
    return switch (String.valueOf(value)) {
      case "true" -> TRUE;
      case "false" -> FALSE;
      case "strict" -> STRICT;
      default ->
          throw MappingErrors.parsing(
              "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
    };
  }

  String json() {
    return name().toLowerCase(Locale.ROOT);
  }
}
