package io.varve.search.mapping;

import java.util.Locale;

/** The handling of a document's field that is missing in the mapping. */
public enum Dynamic {
  /** The field is added to the mapping. */
  TRUE,
  /** The field stays in the source only. */
  FALSE,
  /** The document is refused. */
  STRICT,
  /** The field is added when a dynamic template matches, otherwise it stays in the source only. */
  FALSE_ALLOW_TEMPLATES,
  /** The field is added when a dynamic template matches, otherwise the document is refused. */
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

  /** Whether a document with a field that no dynamic template matches is refused. */
  public boolean refuses() {
    return this == STRICT || this == STRICT_ALLOW_TEMPLATES;
  }

  String json() {
    return name().toLowerCase(Locale.ROOT);
  }
}
