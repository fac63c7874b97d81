package io.varve.testkit.sim;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** The main class of a process that runs histories of each kind and writes their traces. */
final class TracedHistories {

  private TracedHistories() {}

  /**
   * Arguments: the folder, with a file for each history; the first seed; the number of histories of
   * each kind.
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    long first = Long.parseLong(arguments[1]);
    long after = first + Long.parseLong(arguments[2]);
    for (Mutation.Kind kind : Mutation.Kind.values()) {
      for (long seed = first; seed < after; seed++) {
        trace(kind, seed, folder.resolve(kind + " at seed " + seed));
      }
    }
  }

  /** Without other invariants: these are checked elsewhere, and some histories break some. */
  private static void trace(Mutation.Kind kind, long seed, Path file) throws IOException {
    try (PrintWriter lines =
        new PrintWriter(Files.newBufferedWriter(file, StandardCharsets.UTF_8))) {
      try {
        HistoryOfKind.run(kind, seed, Set.of(), List.of(new HistoryTrace(lines)));
      } catch (AssertionError e) {
        lines.println(e.getMessage());
      }
    }
  }
}
