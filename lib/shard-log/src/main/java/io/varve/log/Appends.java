package io.varve.log;

import io.varve.events.RawRecord;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Blocking appends to topics that are not fenced. */
public final class Appends {

  private static final long WITHIN_MILLIS = 30_000;

  private Appends() {}

  /**
   * Appends the record and returns its offset once the log has stored it.
   *
   * @throws LogException.Unavailable if the log refused the record, or its outcome is unknown
   */
  public static long await(PartitionLog partition, RawRecord record)
      throws LogException, InterruptedException {
    CompletableFuture<Long> appended = new CompletableFuture<>();
    partition.append(
        record,
        new PartitionLog.AppendCallback() {
          @Override
          public void appended(long offset, long timestampMillis) {
            appended.complete(offset);
          }

          @Override
          public void unknown(String reason) {
            appended.completeExceptionally(new LogException.Unavailable(reason));
          }
        });
    try {
      return appended.get(WITHIN_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof LogException known
          ? known
          : new LogException.Unavailable(String.valueOf(e.getCause()));
    } catch (TimeoutException e) {
      throw new LogException.Unavailable("no answer within " + WITHIN_MILLIS + " ms");
    }
  }
}
