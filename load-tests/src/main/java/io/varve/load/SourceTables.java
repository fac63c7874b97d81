package io.varve.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The tables that others have published about the same question, which a bench prints above its
 * own. They are files {@code sources/NAME.md}, in which each table has the machines that it was
 * measured on: it shows ratios, not figures that a small machine could reach.
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
