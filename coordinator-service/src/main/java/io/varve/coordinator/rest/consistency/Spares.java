package io.varve.coordinator.rest.consistency;

import io.varve.coordinator.rest.shard.CopyAddress;
import io.varve.rpc.ErrorBody;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The copies that will be asked when the one that is asked now fails, and that show what is
 * demanded as far as is known: one that is taken is asked by whoever took it, and not again.
 * Thread-safe.
 */
public final class Spares {

  private final Deque<ReadCourse.Attempt> attempts;
  private final List<ReadCourse.Attempt> taken = new ArrayList<>();
  private final BiConsumer<CopyAddress, ErrorBody> failures;

  Spares(List<ReadCourse.Attempt> attempts, BiConsumer<CopyAddress, ErrorBody> failures) {
    this.attempts = new ArrayDeque<>(attempts);
    this.failures = failures;
  }

  synchronized ReadCourse.@Nullable Attempt next() {
    return attempts.poll();
  }

  /** The best first. */
  public synchronized List<CopyAddress> left() {
    List<CopyAddress> left = new ArrayList<>();
    for (ReadCourse.Attempt attempt : attempts) {
      if (attempt.fits()) {
        left.add(attempt.copy());
      }
    }
    return left;
  }

  /** Whether another copy would be asked. */
  public synchronized boolean isEmpty() {
    return attempts.isEmpty();
  }

  public synchronized void take(CopyAddress copy) {
    for (ReadCourse.Attempt attempt : List.copyOf(attempts)) {
      if (attempt.copy().equals(copy)) {
        attempts.remove(attempt);
        taken.add(attempt);
      }
    }
  }

  /** One that was taken was not asked after all: it will be, when the others have failed. */
  public synchronized void back(CopyAddress copy) {
    for (ReadCourse.Attempt attempt : List.copyOf(taken)) {
      if (attempt.copy().equals(copy)) {
        taken.remove(attempt);
        attempts.add(attempt);
      }
    }
  }

  /** One that was taken failed. */
  public synchronized void failed(CopyAddress copy, ErrorBody error) {
    failures.accept(copy, error);
  }
}
