package io.varve.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * Published tables of other projects on the same subject, which a bench prints above its own. They
 * are files {@code sources/NAME.md}, in which each table names the machines of its measurement.
 * They show ratios, because a small machine can't reach the same figures.
 */
enum SourceTables {
  SEGREP,
  ARS,
  CODECS,
  CCR,
  REREPLICATION;

  /** The tables as Markdown. */
  String text() {
    String file = "sources/" + name().toLowerCase(Locale.ROOT) + ".md";
    try (InputStream in = SourceTables.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException("there is no file " + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void print() {
    System.out.println();
    System.out.print(text());
  }
}
