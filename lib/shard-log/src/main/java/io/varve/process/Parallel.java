package io.varve.process;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Runs a step for each of several inputs concurrently, each on its own virtual thread, and the last
 * one on the caller's thread. The steps work for the caller's request, see {@link RequestContext}.
 */
public final class Parallel implements AutoCloseable {

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  /** A step that may block. */
  @FunctionalInterface
  public interface Step<T, R> {
    R run(T input) throws InterruptedException;
  }

  /** The results in the order of the inputs. A failure of any step fails the call. */
  public <T, R> List<R> map(List<? extends T> inputs, Step<T, R> step) throws InterruptedException {
    if (inputs.isEmpty()) {
      return List.of();
    }
    List<Future<R>> others = new ArrayList<>(inputs.size() - 1);
    for (T input : inputs.subList(0, inputs.size() - 1)) {
      others.add(threads.submit(RequestContext.carried(() -> step.run(input))));
    }
    List<R> results = new ArrayList<>(inputs.size());
    try {
      R last = step.run(inputs.getLast());
      for (Future<R> other : others) {
        results.add(other.get());
      }
      results.add(last);
      return results;
    } catch (ExecutionException e) {
      throw unwrapped(e.getCause());
    } finally {
      others.forEach(other -> other.cancel(true));
    }
  }

  static RuntimeException unwrapped(@Nullable Throwable failure) throws InterruptedException {
    return switch (failure) {
      case RuntimeException cause -> cause;
      case InterruptedException cause -> throw cause;
      case null, default -> new IllegalStateException(failure);
    };
  }

  /** Steps of a request that start further ones. */
  public Steps steps() {
    return new Steps(threads);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
