package io.varve.store;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes a full disk from a failing one. Neither the JDK nor Lucene has an exception type
 * for it, so this matches the operating system's message.
 */
public final class FullDisk {

  private static final List<String> MESSAGES =
      List.of("no space left on device", "disk quota exceeded", "not enough space on the disk");

  private static final int DEEPEST = 32;

  private FullDisk() {}

  /** Whether a full disk is among the causes of the failure. */
  public static boolean caused(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      if (isSaidIn(cause.getMessage())) {
        return true;
      }
      cause = cause.getCause();
    }
    return false;
  }

  static boolean isSaidIn(@Nullable String message) {
    String text = message == null ? "" : message.toLowerCase(Locale.ROOT);
    return MESSAGES.stream().anyMatch(text::contains);
  }
}
