package io.varve.process;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * Steps of one request, each on its own virtual thread. A step may start further ones; the request
 * waits until none runs any more. The steps work for the request on whose thread this was made, see
 * {@link RequestContext}.
 *
 * <p>The first failure of a step ends the wait. Closing interrupts the steps that still run, and
 * none is started afterwards. Thread-safe.
 */
public final class Steps implements AutoCloseable {

  private final ExecutorService threads;
  private final @Nullable Object context = RequestContext.current();
  private final Set<Step> running = new HashSet<>();
  private @Nullable Throwable failure;
  private boolean closed;

  Steps(ExecutorService threads) {
    this.threads = threads;
  }

  private final class Step extends FutureTask<Object> {

    Step(RequestContext.Work work) {
      super(() -> {
        if (context == null) {
          work.run();
        } else {
          RequestContext.run(context, work);
        }
        return work;
      });
    }

    @Override
    protected void done() {
      ended(this, state() == State.FAILED ? exceptionNow() : null);
    }
  }

  /** Starts a step. */
  public void start(RequestContext.Work work) {
    Step step = new Step(work);
    synchronized (this) {
      if (closed) {
        return;
      }
      running.add(step);
    }
    threads.execute(step);
  }

  private synchronized void ended(Step step, @Nullable Throwable failed) {
    running.remove(step);
    if (failure == null) {
      failure = failed;
    }
    notifyAll();
  }

  /** Waits until no step runs, or one has failed. */
  public void await() throws InterruptedException {
    Throwable failed;
    synchronized (this) {
      while (failure == null && !running.isEmpty()) {
        wait();
      }
      failed = failure;
    }
    if (failed != null) {
      throw Parallel.unwrapped(failed);
    }
  }

  @Override
  public void close() {
    Set<Step> left;
    synchronized (this) {
      closed = true;
      left = Set.copyOf(running);
    }
    left.forEach(step -> step.cancel(true));
  }
}
