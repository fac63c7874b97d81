package io.varve.standalone.load;

import java.io.PrintStream;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * Shows progress: on a terminal as a line that is redrawn, elsewhere as a line per 10%. If the end
 * is unknown, a terminal shows no bar, and elsewhere a line is printed per {@value #LINE_DOCUMENTS}
 * documents.
 */
public final class ProgressBar {

  /** The end is not known. */
  public static final long UNKNOWN = -1;

  private static final int WIDTH = 36;
  private static final long LINE_DOCUMENTS = 100_000;

  private final PrintStream out;
  private final boolean terminal;
  private final long end;
  private final LongSupplier nanos;
  private final long startedNanos;
  private long shownStep;
  private boolean drawn;

  /**
   * @param end the position of the end, or {@link #UNKNOWN}
   */
  public ProgressBar(PrintStream out, boolean terminal, long end) {
    this(out, terminal, end, System::nanoTime);
  }

  ProgressBar(PrintStream out, boolean terminal, long end, LongSupplier nanos) {
    this.out = out;
    this.terminal = terminal;
    this.end = end;
    this.nanos = nanos;
    this.startedNanos = nanos.getAsLong();
  }

  /**
   * Shows the progress.
   *
   * @param documents the number of finished documents
   * @param position between 0 and the end
   */
  public synchronized void show(long documents, long position) {
    double fraction = end == 0 ? 1 : Math.min(1, (double) position / end);
    if (terminal) {
      out.print("\r" + line(documents, fraction));
      out.flush();
      drawn = true;
      return;
    }
    long step = end == UNKNOWN ? documents / LINE_DOCUMENTS : (long) (fraction * 10);
    if (step > shownStep) {
      shownStep = step;
      out.println(line(documents, fraction));
    }
  }

  /** Ends the line, so that other output can follow. */
  public synchronized void close() {
    if (drawn) {
      out.println();
      drawn = false;
    }
  }

  private String line(long documents, double fraction) {
    double seconds = (nanos.getAsLong() - startedNanos) / 1e9;
    String rate =
        String.format(
            Locale.ROOT, "%,d docs  %,.0f docs/s", documents, documents / Math.max(seconds, 1e-3));
    if (end == UNKNOWN) {
      return "  " + rate;
    }
    int filled = (int) (fraction * WIDTH);
    return String.format(
        Locale.ROOT,
        "  [%s%s] %3d%%  %s",
        "#".repeat(filled),
        ".".repeat(WIDTH - filled),
        (int) (fraction * 100),
        rate);
  }
}
