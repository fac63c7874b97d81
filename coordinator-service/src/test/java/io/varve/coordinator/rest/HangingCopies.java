package io.varve.coordinator.rest;

import io.varve.client.Abort;
import io.varve.client.CopyAddress;
import io.varve.client.ShardClient.BulkAnswer;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Copies whose process is stopped: they answer no bulk and no get. */
public final class HangingCopies {

  private final Map<String, Hang> copies = new ConcurrentHashMap<>();

  /** How a copy hangs. */
  record Hang(boolean executesWrites, CompletableFuture<BulkAnswer> answer) {

    /** Waits as for a stopped process: until the call is aborted, times out, or is answered. */
    Optional<BulkAnswer> awaitEnd(Abort abort, Duration timeout) {
      CompletableFuture<Optional<BulkAnswer>> end = new CompletableFuture<>();
      var _ = answer.thenAccept(given -> end.complete(Optional.of(given)));
      abort.endsBy(() -> end.complete(Optional.empty()));
      return end.completeOnTimeout(Optional.empty(), timeout.toMillis(), TimeUnit.MILLISECONDS)
          .join();
    }
  }

  /** From now on, the copy does not read requests. */
  public void beforeExecution(String copyId) {
    copies.put(copyId, new Hang(false, new CompletableFuture<>()));
  }

  /** From now on, the copy executes writes, but does not answer. */
  public void afterExecution(String copyId) {
    copies.put(copyId, new Hang(true, new CompletableFuture<>()));
  }

  /** Answers the hanging bulks. */
  public void answer(BulkAnswer answer) {
    copies.values().forEach(hang -> hang.answer().complete(answer));
  }

  @Nullable Hang of(CopyAddress copy) {
    return copies.get(copy.copy().copyId());
  }
}
