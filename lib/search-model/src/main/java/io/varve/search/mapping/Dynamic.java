package io.varve.search.mapping;

import java.util.Locale;

/** What becomes of a field that a document brings and the mapping lacks. */
public enum Dynamic {
  /** It is added to the mapping. */
  TRUE,
  /** It stays in the source alone. */
  FALSE,
  /** The document is refused. */
  STRICT,
  /** It is added when a dynamic template fits, or else stays in the source alone. */
  FALSE_ALLOW_TEMPLATES,
  /** It is added when a dynamic template fits, or else the document is refused. */
  STRICT_ALLOW_TEMPLATES;

  static Dynamic parse(Object value) {
    return switch (String.valueOf(value)) {
      case "true" -> TRUE;
      case "false" -> FALSE;
      case "strict" -> STRICT;
      case "false_allow_templates" -> FALSE_ALLOW_TEMPLATES;
      case "strict_allow_templates" -> STRICT_ALLOW_TEMPLATES;
      default ->
          throw MappingErrors.parsing(
              "Failed to parse value [" + value + "] as only [true] or [false] are allowed.");
    };
  }

  /** Whether a field that no dynamic template fits makes the document refused. */
  public boolean refuses() {
    return this == STRICT || this == STRICT_ALLOW_TEMPLATES;
  }

  String json() {
    return name().toLowerCase(Locale.ROOT);
  }
}
