package io.varve.standalone;

import java.io.Console;

/** Properties of the standard output. */
public final class Terminal {

  private Terminal() {}

  /** Whether a person watches the output; {@link System#console} can be null. */
  @SuppressWarnings("SystemConsoleNull")
  public static boolean isWatched() {
    Console console = System.console();
    return console != null && console.isTerminal();
  }

  /** Whether the output may have colours; see <a href="https://no-color.org">no-color.org</a>. */
  public static boolean isColoured() {
    String refused = System.getenv("NO_COLOR");
    return isWatched() && (refused == null || refused.isEmpty());
  }
}
