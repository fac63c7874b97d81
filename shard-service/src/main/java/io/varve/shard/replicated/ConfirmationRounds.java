package io.varve.shard.replicated;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.HoldsWire.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Confirms the present versions of the documents of one request, without blocking.
 *
 * <pre>
 *   round     reads the present version of each open document, asks for all of them at once, and
 *             waits for the outcomes
 *     replicated                  the document is done
 *     a copy holds a later one    it is read again, once this primary is at the end of the log; if
 *                                 it has not changed, that copy contradicts it
 *     contradicted, out of time,  the document fails
 *     a copy can't answer
 * </pre>
 *
 * The failure of a document does not affect the others.
 */
final class ConfirmationRounds {

  /** The documents of a request, by their position. */
  @FunctionalInterface
  interface Documents {

    /** Reads the present version; null if it needs no confirmation. */
    @Nullable Version take(int item);
  }

  private final Confirmer confirmer;
  private final Documents documents;
  private final Map<Integer, ErrorBody> failed = new TreeMap<>();
  private final Map<Integer, Version> open = new TreeMap<>();
  private final CompletableFuture<Map<Integer, ErrorBody>> ended = new CompletableFuture<>();
  private final Map<Integer, Version> overtaken = new HashMap<>();
  private @Nullable CompletableFuture<Boolean> applying;
  private long caughtUpTo = -1;

  ConfirmationRounds(Confirmer confirmer, Documents documents) {
    this.confirmer = confirmer;
    this.documents = documents;
  }

  /** The errors of the documents that are not known to be replicated, by position. */
  CompletableFuture<Map<Integer, ErrorBody>> begin(int items) {
    round(IntStream.range(0, items).boxed().toList());
    return ended;
  }

  /** Waits for the errors; documents that are open at the end of the timeout fail. */
  Map<Integer, ErrorBody> await(Duration timeout) throws InterruptedException {
    try {
      return ended.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      outOfTime();
      return ended.join();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException unchecked
          ? unchecked
          : new IllegalStateException(e.getCause());
    }
  }

  /** Fails the open documents. The queries continue, because other requests may wait for them. */
  void outOfTime() {
    CompletableFuture<Boolean> wait;
    synchronized (this) {
      open.forEach((item, version) ->
          failed.put(item, confirmer.unconfirmed(version, Confirmer.NOT_IN_TIME)));
      open.clear();
      wait = applying;
    }
    if (wait != null) {
      confirmer.forget(wait);
    }
    end();
  }

  private void end() {
    Map<Integer, ErrorBody> errors;
    synchronized (this) {
      errors = Map.copyOf(failed);
    }
    ended.complete(errors);
  }

  private void round(List<Integer> items) {
    if (ended.isDone()) {
      return;
    }
    Map<Integer, Confirmation> asked = new LinkedHashMap<>();
    try {
      for (int item : items) {
        Version version = documents.take(item);
        if (version != null) {
          ask(item, version, asked);
        }
      }
    } catch (RuntimeException e) {
      ended.completeExceptionally(e);
      return;
    }
    if (asked.isEmpty()) {
      end();
      return;
    }
    confirmer.askAll(asked.values());
    var _ =
        CompletableFuture.allOf(
                asked.values().stream()
                    .map(Confirmation::outcome)
                    .toArray(CompletableFuture[]::new))
            .thenRun(() -> judge(asked));
  }

  private void ask(int item, Version version, Map<Integer, Confirmation> asked) {
    switch (confirmer.confirm(version)) {
      case ReplicatedRecords.Step.Replicated _ -> settled(item);
      case ReplicatedRecords.Step.Asking(var confirmation) -> {
        asked.put(item, confirmation);
        synchronized (this) {
          open.put(item, version);
        }
      }
      case ReplicatedRecords.Step.Refused(var reason) -> fail(item, confirmer.tooMany(reason));
    }
  }

  private synchronized void fail(int item, ErrorBody error) {
    open.remove(item);
    failed.put(item, error);
  }

  private void judge(Map<Integer, Confirmation> asked) {
    if (ended.isDone()) {
      return;
    }
    List<Integer> again = new ArrayList<>();
    asked.forEach((item, confirmation) -> {
      switch (confirmation.outcome().join()) {
        case Confirmation.Outcome.Replicated _ -> settled(item);
        case Confirmation.Outcome.Newer(var by, var ofLaterTerm) -> {
          if (ofLaterTerm || isNewToLog(item, confirmation.version())) {
            again.add(item);
          } else {
            confirmer.contradicted(new Disputed(confirmation.version(), caughtUpTo), by);
            fail(item, contradicted(confirmation.version(), by));
          }
        }
        case Confirmation.Outcome.Contradicted(var by) ->
            fail(item, contradicted(confirmation.version(), by));
        case Confirmation.Outcome.Unable(var by) ->
            fail(
                item,
                confirmer.unconfirmed(
                    confirmation.version(),
                    "the process of copy " + by.copyId() + " is of a release that can't answer"));
        case Confirmation.Outcome.OutOfTime _ ->
            fail(item, confirmer.unconfirmed(confirmation.version(), Confirmer.NOT_IN_TIME));
      }
    });
    if (again.isEmpty()) {
      end();
    } else {
      catchUp(again);
    }
  }

  /**
   * Whether the later version may be one that the log had not shown yet. If this primary has
   * applied the end of the log as of the first such answer and still has the same version, either
   * the copy has a version that the log lacks, or this primary lacks a version that the log has.
   */
  private boolean isNewToLog(int item, Version version) {
    return !version.equals(overtaken.put(item, version));
  }

  private ErrorBody contradicted(Version version, Member by) {
    return confirmer.unconfirmed(version, "copy " + by.copyId() + " holds another version of it");
  }

  private synchronized void settled(int item) {
    open.remove(item);
  }

  /** Reads these documents again once the primary has applied the end of the log. */
  private void catchUp(List<Integer> again) {
    var _ =
        confirmer
            .newest()
            .thenCompose(this::applied)
            .whenComplete((there, failure) -> {
              if (failure == null && there) {
                confirmer.execute(() -> round(again));
              } else {
                outOfTime();
              }
            });
  }

  private CompletableFuture<Boolean> applied(long seqNo) {
    CompletableFuture<Boolean> wait = confirmer.applied(seqNo);
    synchronized (this) {
      applying = wait;
      caughtUpTo = seqNo;
    }
    if (ended.isDone()) {
      confirmer.forget(wait);
    }
    return wait;
  }
}
