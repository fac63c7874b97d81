package io.varve.conformance.suite;

import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of the server. Major versions 5 to 7 are versions of Elasticsearch, from which
 * OpenSearch was forked, so they precede 1.0.0.
 */
public record Version(int major, int minor, int patch) implements Comparable<Version> {

  static final Version FIRST = new Version(5, 0, 0);

  private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+)(?:\\.(\\d+))?.*");
  private static final Comparator<Version> ORDER =
      Comparator.comparingInt(Version::era)
          .thenComparingInt(Version::major)
          .thenComparingInt(Version::minor)
          .thenComparingInt(Version::patch);

  public static Version of(String text) {
    Matcher matcher = NUMBERS.matcher(text);
    if (!matcher.matches()) {
      throw new SuiteException("[" + text + "] is not a version");
    }
    int patch = matcher.group(3) == null ? 0 : Integer.parseInt(matcher.group(3));
    return new Version(
        Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)), patch);
  }

  private int era() {
    return major >= 5 && major <= 7 ? 0 : 1;
  }

  @Override
  public int compareTo(Version other) {
    return ORDER.compare(this, other);
  }
}
