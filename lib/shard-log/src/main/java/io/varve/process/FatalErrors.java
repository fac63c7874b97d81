package io.varve.process;

import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Errors after which a process can't be trusted: memory has run out, the JVM has failed, or a class
 * can't be linked. Where {@link ProcessGuard} is installed they end the process at once, whichever
 * thread meets them, so that a supervisor starts it again.
 *
 * <p>A stack overflow is none of them: it is the error of one call, and unwinding mends it. The
 * exit statuses are those of OpenSearch.
 */
public final class FatalErrors {

  private static final Logger LOG = LoggerFactory.getLogger(FatalErrors.class);
  private static final int DEEPEST_CAUSE = 16;
  private static final int STATUS_OTHER = 1;

  private static volatile @Nullable IntConsumer end;

  private FatalErrors() {}

  /** Ends the process from now on. */
  static void endBy(IntConsumer halt) {
    end = halt;
  }

  /** The fatal error that a failure is, or that caused it. */
  public static Optional<Error> in(@Nullable Throwable failure) {
    return Optional.ofNullable(find(failure));
  }

  // Nothing here or below allocates before the process has ended: there may be no memory left, and
  // the first run of a pattern switch needs some.

  private static @Nullable Error find(@Nullable Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
      if (cause instanceof StackOverflowError) {
        return null;
      }
      if (cause instanceof VirtualMachineError || cause instanceof LinkageError) {
        return (Error) cause;
      }
      cause = cause.getCause();
    }
    return null;
  }

  /** Ends the process when the failure is fatal; returns otherwise, or where nothing is guarded. */
  public static void endOn(Throwable failure) {
    Error fatal = find(failure);
    if (fatal != null) {
      end(status(fatal), "a fatal error", fatal);
    }
  }

  /** Ends the process, where it is guarded. */
  static void end(int status, String reason, Throwable failure) {
    IntConsumer halt = end;
    if (halt == null) {
      return;
    }
    try {
      LOG.error("{} ends this process with status {}", reason, status, failure);
    } finally {
      halt.accept(status);
    }
  }

  static int status(Throwable failure) {
    if (failure instanceof InternalError) {
      return 128;
    }
    if (failure instanceof OutOfMemoryError) {
      return 127;
    }
    if (failure instanceof StackOverflowError) {
      return 126;
    }
    return failure instanceof UnknownError ? 125 : STATUS_OTHER;
  }
}
