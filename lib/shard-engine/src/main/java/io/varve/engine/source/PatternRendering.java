package io.varve.engine.source;

import io.varve.search.mapping.DateFormat;
import java.time.Instant;
import java.time.ZoneOffset;

/**
 * A date as one of its field's formats writes it, in quotes.
 *
 * @param format that writes numbers alone: names would be those of whoever reads them
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
