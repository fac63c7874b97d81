package io.varve.host.http;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The part of a file that a {@code Range} header requests. As in HTTP, a header that can't be
 * parsed or that names several ranges is ignored.
 */
sealed interface ByteRange {

  /** The whole file. */
  record Whole() implements ByteRange {}

  /** The bytes from {@code from} to {@code to}, both included. */
  record Part(long from, long to) implements ByteRange {}

  /** None of the requested bytes exist. */
  record Unsatisfiable() implements ByteRange {}

  Pattern FORM = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  static ByteRange parse(@Nullable String header, long length) {
    Matcher matcher = FORM.matcher(header == null ? "" : header.trim());
    if (!matcher.matches()) {
      return new Whole();
    }
    String first = matcher.group(1);
    String last = matcher.group(2);
    if (first.isEmpty() && last.isEmpty()) {
      return new Whole();
    }
    if (first.isEmpty()) {
      long count = Math.min(length, Long.parseLong(last));
      return count == 0 ? new Unsatisfiable() : new Part(length - count, length - 1);
    }
    long from = Long.parseLong(first);
    long to = last.isEmpty() ? length - 1 : Math.min(length - 1, Long.parseLong(last));
    if (!last.isEmpty() && Long.parseLong(last) < from) {
      return new Whole();
    }
    return from >= length ? new Unsatisfiable() : new Part(from, to);
  }
}
