package io.varve.events;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Comparator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The newest segment format that a process reads and writes, as text {@code 10.6/2}: Lucene's major
 * and minor version, and the format of Varve's own stored fields.
 *
 * <p>Rule: a process reads the segments of every version up to its own. Lucene changes formats with
 * minor versions, never with bug fixes, and no release of Varve has an older Lucene or an older
 * format than its predecessor. Lucene reads no segment older than its previous major version;
 * Lucene's own check enforces this.
 */
public record ReaderVersion(int luceneMajor, int luceneMinor, int storedFieldsFormat)
    implements Comparable<ReaderVersion> {

  /** The version of a process that announces none; older than every announced version. */
  public static final ReaderVersion UNKNOWN = new ReaderVersion(0, 0, 0);

  private static final Pattern TEXT = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})/(\\d{1,6})");
  private static final Comparator<ReaderVersion> ORDER =
      Comparator.comparingInt(ReaderVersion::luceneMajor)
          .thenComparingInt(ReaderVersion::luceneMinor)
          .thenComparingInt(ReaderVersion::storedFieldsFormat);

  public ReaderVersion {
    if (luceneMajor < 0 || luceneMinor < 0 || storedFieldsFormat < 0) {
      throw new IllegalArgumentException(
          "the parts of a reader version are >= 0, were "
              + luceneMajor
              + ", "
              + luceneMinor
              + ", "
              + storedFieldsFormat);
    }
  }

  /**
   * @throws IllegalArgumentException if the text is no reader version
   */
  @JsonCreator
  public static ReaderVersion parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException("not a reader version: [" + text + "]");
    }
    return new ReaderVersion(
        Integer.parseInt(parts.group(1)),
        Integer.parseInt(parts.group(2)),
        Integer.parseInt(parts.group(3)));
  }

  /**
   * The version that a node announces in this attribute; {@link #UNKNOWN} if it announces none, or
   * if an older release has an attribute of this name with another meaning.
   */
  public static ReaderVersion announced(@Nullable String attribute) {
    return attribute != null && TEXT.matcher(attribute).matches() ? parse(attribute) : UNKNOWN;
  }

  /** Whether a process of this version reads segments that need {@code oldest}. */
  public boolean reads(ReaderVersion oldest) {
    return compareTo(oldest) >= 0;
  }

  public boolean isOlderThan(ReaderVersion other) {
    return compareTo(other) < 0;
  }

  @Override
  public int compareTo(ReaderVersion other) {
    return ORDER.compare(this, other);
  }

  @Override
  @JsonValue
  public String toString() {
    return equals(UNKNOWN) ? "unknown" : luceneMajor + "." + luceneMinor + "/" + storedFieldsFormat;
  }
}
