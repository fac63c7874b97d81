package io.varve.standalone.bundle;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes secrets from text:
 *
 * <ul>
 *   <li>known values, wherever they occur
 *   <li>the value behind a name that ends in {@code password}, {@code secret}, {@code token}, or a
 *       kind of key
 *   <li>credentials of an {@code Authorization} header, and users in URLs
 *   <li>the source of a search or document in a slow log
 * </ul>
 */
final class Redactor {

  static final String REMOVED = "[removed]";

  /** Shorter values would remove parts of ordinary words. */
  private static final int SHORTEST_KNOWN = 4;

  /** A name, with or without quotes, and its value; both may be quoted again, as in a log. */
  private static final Pattern NAMED =
      Pattern.compile(
          "(?i)((?:password|passwd|passphrase|secret|credentials?|token|[._-]key"
              + "|(?:api|access|secret|private|session)key)s?\\\\?\"?\\s*[:=]\\s*)"
              + "(\"(?:[^\"\\\\]|\\\\.)*\"|\\\\\"[^\"]*\"|'[^']*'|[^\\s,;&\"'{}\\[\\]()\\\\]+)");

  private static final Pattern AUTHORIZATION =
      Pattern.compile("(?i)\\b(Basic|Bearer|ApiKey)(\\s+)[A-Za-z0-9+/=_.~-]{6,}");

  private static final Pattern USER_OF_URL = Pattern.compile("://[^/\\s@\"']+@");
  private static final Pattern SLOW_LOG_SOURCE = Pattern.compile("(took_millis\\[.*source\\[).*");

  private final List<String> known;

  /**
   * @param known values of secrets
   */
  Redactor(Collection<String> known) {
    this.known =
        known.stream()
            .filter(value -> value.length() >= SHORTEST_KNOWN)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  String redact(String text) {
    String redacted = text;
    for (String value : known) {
      redacted = redacted.replace(value, REMOVED);
    }
    redacted = AUTHORIZATION.matcher(redacted).replaceAll("$1$2" + REMOVED);
    redacted = USER_OF_URL.matcher(redacted).replaceAll("://" + REMOVED + "@");
    redacted = SLOW_LOG_SOURCE.matcher(redacted).replaceAll("$1" + REMOVED + "]");
    return NAMED.matcher(redacted).replaceAll(Redactor::withoutValue);
  }

  /** The value gets the quotes of its name, so that JSON remains JSON. */
  private static String withoutValue(MatchResult named) {
    String name = named.group(1);
    String quote = name.contains("\\\"") ? "\\\"" : name.contains("\"") ? "\"" : "";
    return Matcher.quoteReplacement(name + quote + REMOVED + quote);
  }
}
