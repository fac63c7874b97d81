package io.varve.process;

import java.util.Optional;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Errors after which a process can't be trusted: out of memory, a failure of the JVM, a class that
 * can't be linked. Where {@link ProcessGuard} is installed they end the process immediately, on
 * whichever thread they occur, so that a supervisor restarts it.
 *
 * <p>A stack overflow is not among them: it affects one call only, and unwinding recovers from it.
 * The exit statuses are those of OpenSearch.
 */
public final class FatalErrors {

  private static final Logger LOG = LoggerFactory.getLogger(FatalErrors.class);
  private static final int DEEPEST_CAUSE = 16;
  private static final int STATUS_OTHER = 1;

  private static volatile @Nullable IntConsumer end;

  private FatalErrors() {}

  static void endBy(IntConsumer halt) {
    end = halt;
  }

  /** The failure itself or its cause, if that is a fatal error. */
  public static Optional<Error> in(@Nullable Throwable failure) {
    return Optional.ofNullable(find(failure));
  }

  // From here on, nothing may allocate until the process has ended: there may be no memory left,
  // and the first execution of a pattern switch allocates.

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

  /** Ends the process if the failure is fatal; returns otherwise, or if no guard is installed. */
  public static void endOn(Throwable failure) {
    Error fatal = find(failure);
    if (fatal != null) {
      end(status(fatal), "a fatal error", fatal);
    }
  }

  /** Ends the process if a guard is installed. */
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
