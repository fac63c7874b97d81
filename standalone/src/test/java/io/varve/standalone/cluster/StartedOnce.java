package io.varve.standalone.cluster;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A cluster that many tests share: started for the first test that asks, closed after the last. A
 * failed start is remembered, so that the other tests fail at once with its cause instead of
 * starting the cluster again.
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

  /** The cluster of {@code type} that {@code start} begins if no test has asked for it before. */
  static <T extends AutoCloseable> T in(
      ExtensionContext context, Class<T> type, Callable<T> start) {
    StartedOnce<?> started =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(StartedOnce.class))
            .computeIfAbsent(type, _ -> attempt(start), StartedOnce.class);
    if (started.cluster == null) {
      throw new IllegalStateException("the shared cluster did not start", started.failure);
    }
    return type.cast(started.cluster);
  }

  @Override
  public void close() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }
}
