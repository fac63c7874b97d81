package io.varve.shard.primary;

import io.varve.engine.Resolution;
import io.varve.events.Operation;
import io.varve.log.FencedWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations that were numbered and appended under one acquisition of the sequencer's lock. When
 * the appends of all of them have completed, the accepted ones are submitted for application
 * together.
 *
 * <p>INVARIANT: batches are submitted in the order of their numbers, because appends complete in
 * that order, and no batch is submitted before {@link #sequenced}, which is called under the lock.
 * At that time the engine has registered all of its operations as in flight.
 */
public final class Batch {

  /** Receives the outcome of an operation: applied, rejected or unknown. */
  public interface Ending {
    /** The engine has the operation; no checkpoint includes it before this returns. */
    default void indexed() {}

    void applied();

    void unknown(String reason);

    /** The operation is not in the history and never will be. */
    void rejected(String reason);
  }

  /** An operation between its append and its application. */
  public static final class Pending {
    final Operation operation;
    final Resolution.@Nullable Append resolved;
    final Ending ending;
    long offset = -1;
    long timestampMillis = -1;
    FencedWriter.@Nullable Outcome failure;

    Pending(Operation operation, Resolution.@Nullable Append resolved, Ending ending) {
      this.operation = operation;
      this.resolved = resolved;
      this.ending = ending;
    }

    public Operation operation() {
      return operation;
    }

    /** Its offset in the log, -1 before it is accepted. */
    public long offset() {
      return offset;
    }
  }

  private final List<Pending> operations = new ArrayList<>();
  private final AtomicInteger unanswered = new AtomicInteger(1);
  private final Consumer<List<Pending>> apply;
  private final BiConsumer<Pending, Long> accepted;

  /**
   * {@code accepted} is called with each operation and its offset as soon as the operation is
   * accepted.
   */
  Batch(Consumer<List<Pending>> apply, BiConsumer<Pending, Long> accepted) {
    this.apply = apply;
    this.accepted = accepted;
  }

  /**
   * Adds an operation before it is appended; {@link #completed} reports the completion of the
   * append.
   */
  void add(Pending pending) {
    operations.add(pending);
    unanswered.incrementAndGet();
  }

  /** Removes the operation added last, because it was not appended. */
  void removeLast() {
    operations.removeLast();
    unanswered.decrementAndGet();
  }

  void completed(Pending pending, FencedWriter.Outcome outcome) {
    switch (outcome) {
      case FencedWriter.Outcome.Accepted a -> {
        pending.offset = a.offset();
        pending.timestampMillis = a.timestampMillis();
        accepted.accept(pending, a.offset());
      }
      case FencedWriter.Outcome.Unknown _, FencedWriter.Outcome.Rejected _ ->
          pending.failure = outcome;
    }
    answered();
  }

  /** Must be called after the last operation was added. */
  void sequenced() {
    answered();
  }

  private void answered() {
    if (unanswered.decrementAndGet() > 0) {
      return;
    }
    List<Pending> acceptedOnes =
        operations.stream().filter(pending -> pending.offset >= 0).toList();
    if (!acceptedOnes.isEmpty()) {
      apply.accept(acceptedOnes);
    }
    for (Pending pending : operations) {
      if (pending.failure instanceof FencedWriter.Outcome.Unknown(var reason)) {
        pending.ending.unknown(reason);
      } else if (pending.failure instanceof FencedWriter.Outcome.Rejected(var reason)) {
        pending.ending.rejected(reason);
      }
    }
  }
}
