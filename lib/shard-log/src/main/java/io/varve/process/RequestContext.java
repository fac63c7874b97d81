package io.varve.process;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A value that belongs to a request, such as its user, and is available on all threads that work
 * for the request: {@link Parallel} and tasks in the background pass it on. A thread without a
 * value works for the process itself.
 */
public final class RequestContext {

  private static final ScopedValue<Object> CURRENT = ScopedValue.newInstance();

  private RequestContext() {}

  /** Work that may block. */
  @FunctionalInterface
  public interface Work {
    void run() throws InterruptedException;
  }

  /** The value of the request for which this thread works; null for none. */
  public static @Nullable Object current() {
    return CURRENT.isBound() ? CURRENT.get() : null;
  }

  /** Runs the work for the request that the value belongs to. */
  public static void run(Object context, Work work) throws InterruptedException {
    ScopedValue.where(CURRENT, context)
        .call(() -> {
          work.run();
          return context;
        });
  }

  /** Returns a task that runs with the value of the calling thread, whichever thread runs it. */
  public static <T> Callable<T> carried(Callable<T> task) {
    Object context = current();
    return context == null ? task : () -> ScopedValue.where(CURRENT, context).call(task::call);
  }

  /** The same for a task without a result. */
  public static Runnable carried(Runnable task) {
    Object context = current();
    return context == null ? task : () -> ScopedValue.where(CURRENT, context).run(task);
  }
}
