package io.varve.security;

import io.varve.names.Wildcard;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A set of name patterns, compiled so that the time of a match does not grow with their number:
 *
 * <pre>
 *   name       a hash set
 *   prefix*    a sorted set of prefixes of which none begins with another one, so that the greatest
 *              prefix that is not greater than the name is the only candidate
 *   *suffix    the same, reversed
 *   others     in sequence; the results of the last names are cached
 * </pre>
 *
 * Thread-safe.
 */
final class NamePatterns {

  /** The maximum number of cached results; when it is exceeded, all are removed. */
  private static final int REMEMBERED = 10_000;

  private final boolean all;
  private final Set<String> names = new HashSet<>();
  private final NavigableSet<String> prefixes = new TreeSet<>();
  private final NavigableSet<String> suffixes = new TreeSet<>();
  private final List<String> others = new ArrayList<>();
  private final Map<String, Boolean> remembered = new ConcurrentHashMap<>();

  NamePatterns(Collection<String> patterns) {
    this.all = patterns.contains("*");
    for (String pattern : patterns) {
      int star = pattern.indexOf('*');
      if (star < 0) {
        names.add(pattern);
      } else if (star == pattern.length() - 1) {
        addPrefix(prefixes, pattern.substring(0, star));
      } else if (star == 0 && pattern.indexOf('*', 1) < 0) {
        addPrefix(suffixes, reversed(pattern.substring(1)));
      } else {
        others.add(pattern);
      }
    }
  }

  private static void addPrefix(NavigableSet<String> prefixes, String prefix) {
    if (beginsWithOne(prefixes, prefix)) {
      return;
    }
    prefixes.tailSet(prefix).removeIf(longer -> longer.startsWith(prefix));
    prefixes.add(prefix);
  }

  private static boolean beginsWithOne(NavigableSet<String> prefixes, String name) {
    String candidate = prefixes.floor(name);
    return candidate != null && name.startsWith(candidate);
  }

  private static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  boolean isEmpty() {
    return !all && names.isEmpty() && prefixes.isEmpty() && suffixes.isEmpty() && others.isEmpty();
  }

  boolean matches(String name) {
    return all
        || names.contains(name)
        || beginsWithOne(prefixes, name)
        || (!suffixes.isEmpty() && beginsWithOne(suffixes, reversed(name)))
        || (!others.isEmpty() && matchesOther(name));
  }

  private boolean matchesOther(String name) {
    Boolean known = remembered.get(name);
    if (known != null) {
      return known;
    }
    boolean matches = others.stream().anyMatch(pattern -> Wildcard.matches(pattern, name));
    if (remembered.size() >= REMEMBERED) {
      remembered.clear();
    }
    remembered.put(name, matches);
    return matches;
  }
}
