package io.varve.host;

/**
 * The text of a failure for clients, the leader and the log: the failure itself and its first
 * cause, which names the system's error, such as a full disk.
 */
public final class FailureReasons {

  /** Causes may form a ring. */
  private static final int DEEPEST = 32;

  private FailureReasons() {}

  public static String of(Throwable failure) {
    Throwable first = failure;
    Throwable cause = failure.getCause();
    for (int depth = 0; cause != null && depth < DEEPEST; depth++) {
      first = cause;
      cause = cause.getCause();
    }
    String told = failure.toString();
    String reason = first.toString();
    return told.contains(reason) ? told : told + "; caused by " + reason;
  }
}
