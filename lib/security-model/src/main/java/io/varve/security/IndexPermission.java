package io.varve.security;

import java.util.List;

/**
 * Actions that a role allows on indices.
 *
 * @param indexPatterns names of indices or aliases, with {@code *}
 * @param allowedActions action groups, or actions with {@code *}
 */
public record IndexPermission(List<String> indexPatterns, List<String> allowedActions) {

  public IndexPermission {
    indexPatterns = List.copyOf(indexPatterns);
    allowedActions = List.copyOf(allowedActions);
    for (String pattern : indexPatterns) {
      if (pattern.isBlank() || pattern.startsWith("/") || pattern.contains("${")) {
        throw new IllegalArgumentException(
            "an index pattern is a name with wildcards, without regular expressions and variables,"
                + " was ["
                + pattern
                + "]");
      }
    }
    ActionGroups.requireKnown(allowedActions);
  }
}
