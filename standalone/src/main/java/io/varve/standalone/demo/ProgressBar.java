package io.varve.standalone.demo;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/** Shows progress: on a terminal as a bar that is redrawn, elsewhere as a line per 10%. */
final class ProgressBar {

  private static final int WIDTH = 36;

  private final PrintStream out;
  private final boolean terminal;
  private final long total;
  private final LongSupplier nanos;
  private final long startedNanos;
  private int shownTenth;

  ProgressBar(PrintStream out, boolean terminal, long total) {
    this(out, terminal, total, System::nanoTime);
  }

  ProgressBar(PrintStream out, boolean terminal, long total, LongSupplier nanos) {
    this.out = out;
    this.terminal = terminal;
    this.total = Math.max(1, total);
    this.nanos = nanos;
    this.startedNanos = nanos.getAsLong();
  }

  synchronized void show(long done) {
    double fraction = Math.min(1, (double) done / total);
    if (terminal) {
      out.print("\r" + line(done, fraction));
      out.flush();
    } else if ((int) (fraction * 10) > shownTenth) {
      shownTenth = (int) (fraction * 10);
      out.println(line(done, fraction));
    }
  }

  synchronized void finish(long done) {
    show(done);
    if (terminal) {
      out.println();
    }
  }

  private String line(long done, double fraction) {
    int filled = (int) (fraction * WIDTH);
    double seconds = (nanos.getAsLong() - startedNanos) / 1e9;
    return String.format(
        Locale.ROOT,
        "  [%s%s] %3d%%  %,d docs  %,.0f docs/s",
        "#".repeat(filled),
        ".".repeat(WIDTH - filled),
        (int) (fraction * 100),
        done,
        done / Math.max(seconds, 1e-3));
  }
}
