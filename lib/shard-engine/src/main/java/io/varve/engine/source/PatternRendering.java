package io.varve.engine.source;

import io.varve.search.mapping.DateFormat;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * Renders a quoted date in one of its field's formats.
 *
 * @param format a purely numeric format: names would depend on the reader's locale
 */
record PatternRendering(boolean nanos, DateFormat format) implements Rendering.OfNumber {

  static final char MARK = 'P';

  @Override
  public String code() {
    return "" + MARK + (nanos ? 'n' : 'm') + format;
  }

  static PatternRendering of(String code) {
    return new PatternRendering(code.charAt(1) == 'n', DateFormat.of(code.substring(2)));
  }

  @Override
  public String text(long value) {
    Instant instant = nanos ? DateFormat.ofNanos(value) : Instant.ofEpochMilli(value);
    return '"' + format.print(instant, ZoneOffset.UTC) + '"';
  }
}
