package io.varve.standalone.cluster;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A cluster that many tests share. It is started for the first test that needs it, and closed after
 * the last test or when its memory is needed. A failed start is remembered, so that the other tests
 * fail immediately with its cause instead of starting the cluster again.
 */
final class StartedOnce<T extends AutoCloseable> implements AutoCloseable {

  private final @Nullable T cluster;
  private final @Nullable Throwable failure;

  private StartedOnce(@Nullable T cluster, @Nullable Throwable failure) {
    this.cluster = cluster;
    this.failure = failure;
  }

  private static <T extends AutoCloseable> StartedOnce<T> attempt(Callable<T> start) {
    try {
      return new StartedOnce<>(start.call(), null);
    } catch (Exception | AssertionError e) {
      return new StartedOnce<>(null, e);
    }
  }

  private static ExtensionContext.Store store(ExtensionContext context) {
    return context.getRoot().getStore(ExtensionContext.Namespace.create(StartedOnce.class));
  }

  /** Returns the cluster of {@code type}; starts it if no test has needed it before. */
  static <T extends AutoCloseable> T in(
      ExtensionContext context, Class<T> type, Callable<T> start) {
    StartedOnce<?> started =
        store(context).computeIfAbsent(type, _ -> attempt(start), StartedOnce.class);
    if (started.cluster == null) {
      throw new IllegalStateException(
          "the shared cluster did not start: " + started.failure, started.failure);
    }
    return type.cast(started.cluster);
  }

  /** Returns the cluster of that type, if it was started. */
  static <T extends AutoCloseable> Optional<T> find(ExtensionContext context, Class<T> type) {
    return Optional.ofNullable(store(context).get(type, StartedOnce.class))
        .map(started -> type.cast(started.cluster));
  }

  /** Closes the cluster of that type; it is restarted if another test needs it. */
  static void end(ExtensionContext context, Class<?> type) throws Exception {
    StartedOnce<?> started = store(context).remove(type, StartedOnce.class);
    if (started != null) {
      started.close();
    }
  }

  @Override
  public void close() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }
}
