package io.varve.cluster;

import io.github.resilience4j.core.IntervalFunction;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.IOException;
import java.time.Duration;

/**
 * Repeats a read from another cluster when no seed answered: three attempts, 100 and 200 ms apart,
 * each time up to half longer or shorter at random, so that many readers do not retry at the same
 * time.
 *
 * <p>Only for reads, because a write whose answer was lost may have been executed.
 */
final class SeedRetry {

  private static final int ATTEMPTS = 3;
  private static final Duration FIRST = Duration.ofMillis(100);

  private static final Retry RETRY =
      Retry.of(
          "remote-seeds",
          RetryConfig.custom()
              .maxAttempts(ATTEMPTS)
              .intervalFunction(IntervalFunction.ofExponentialRandomBackoff(FIRST, 2, 0.5))
              .retryOnException(SeedRetry::isTransient)
              .build());

  private SeedRetry() {}

  /** A read of some seed. */
  @FunctionalInterface
  interface Read<T> {
    T read() throws IOException, InterruptedException;
  }

  static <T> T reading(Read<T> read) throws IOException, InterruptedException {
    try {
      return Retry.decorateCheckedSupplier(RETRY, read::read).get();
    } catch (IOException | InterruptedException | RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isTransient(Throwable failure) {
    return failure instanceof IOException
        && !(failure instanceof RemoteCluster.MissingIndexException)
        && !(failure instanceof RemoteCluster.RefusedException)
        && !(failure instanceof RemoteCluster.UnauthorizedException);
  }
}
