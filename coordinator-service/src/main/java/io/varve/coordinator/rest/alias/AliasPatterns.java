package io.varve.coordinator.rest.alias;

import io.varve.names.Wildcard;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Patterns of alias names: {@code a,b*,-bc,_all}. Each part adds its matches to those of the
 * previous parts or, with a minus, removes them. Without parts, all names match.
 */
public final class AliasPatterns {

  private final List<String> parts;

  public AliasPatterns(List<String> parts) {
    this.parts = List.copyOf(parts);
  }

  public boolean include(String alias) {
    boolean included = parts.isEmpty();
    for (String part : parts) {
      if (part.startsWith("-")) {
        included = included && !matches(part.substring(1), alias);
      } else {
        included = included || matches(part, alias);
      }
    }
    return included;
  }

  private static boolean matches(String pattern, String alias) {
    return pattern.equals("_all") || Wildcard.matches(pattern, alias);
  }

  /**
   * Returns the parts that are names and were not found, except those that a later part removes. A
   * minus before the first wildcard belongs to a name.
   */
  public Set<String> missing(Set<String> found) {
    int firstWildcard = 0;
    while (firstWildcard < parts.size() && !Wildcard.isPattern(parts.get(firstWildcard))) {
      firstWildcard++;
    }
    Set<String> missing = new TreeSet<>();
    for (int i = 0; i < parts.size(); i++) {
      String part = parts.get(i);
      boolean pattern = part.equals("_all") || Wildcard.isPattern(part);
      boolean exclusion = i > firstWildcard && part.startsWith("-");
      if (!pattern
          && !exclusion
          && !isTakenAway(part, Math.max(i + 1, firstWildcard))
          && !found.contains(part)) {
        missing.add(part);
      }
    }
    return missing;
  }

  private boolean isTakenAway(String name, int from) {
    return parts.stream()
        .skip(from)
        .anyMatch(part -> part.startsWith("-") && matches(part.substring(1), name));
  }
}
