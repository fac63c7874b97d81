package io.varve.client.consistency;

import io.varve.client.CopyAddress;
import io.varve.rpc.ErrorBody;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The copies to ask next when the current one fails. Only the caller that takes a copy asks it.
 * Thread-safe.
 */
public final class ReserveCopies {

  private final Deque<ReadSchedule.Attempt> attempts;
  private final List<ReadSchedule.Attempt> taken = new ArrayList<>();
  private final BiConsumer<CopyAddress, ErrorBody> failures;
  private ReadSchedule.@Nullable Attempt current;

  ReserveCopies(List<ReadSchedule.Attempt> attempts, BiConsumer<CopyAddress, ErrorBody> failures) {
    this.attempts = new ArrayDeque<>(attempts);
    this.failures = failures;
  }

  synchronized ReadSchedule.@Nullable Attempt next() {
    current = attempts.poll();
    return current;
  }

  /**
   * Puts back the copy that was taken last and could not be asked; it is asked after the others.
   */
  public synchronized void postpone() {
    if (current != null) {
      attempts.add(current);
      current = null;
    }
  }

  /** The best first. */
  public synchronized List<CopyAddress> left() {
    List<CopyAddress> left = new ArrayList<>();
    for (ReadSchedule.Attempt attempt : attempts) {
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
    for (ReadSchedule.Attempt attempt : List.copyOf(attempts)) {
      if (attempt.copy().equals(copy)) {
        attempts.remove(attempt);
        taken.add(attempt);
      }
    }
  }

  /** Puts back a copy that was taken and not asked; it is asked after the others have failed. */
  public synchronized void back(CopyAddress copy) {
    for (ReadSchedule.Attempt attempt : List.copyOf(taken)) {
      if (attempt.copy().equals(copy)) {
        taken.remove(attempt);
        attempts.add(attempt);
      }
    }
  }

  /** Records the failure of a copy that was taken. */
  public synchronized void failed(CopyAddress copy, ErrorBody error) {
    failures.accept(copy, error);
  }
}
