package io.varve.shard.primary;

import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The writes of one request and their results. Each item is completed once, by any thread. */
public final class BulkRequest {

  private final List<WriteItem> items;
  private final AtomicReferenceArray<WriteResult> results;
  private final CountDownLatch allComplete;
  private final AtomicInteger appended = new AtomicInteger();
  private final AtomicInteger remaining;
  private final Runnable onComplete;

  /** {@code onComplete} runs once, when the last item is completed. */
  public BulkRequest(List<WriteItem> items, Runnable onComplete) {
    this.items = items;
    this.results = new AtomicReferenceArray<>(items.size());
    this.allComplete = new CountDownLatch(items.isEmpty() ? 0 : 1);
    this.remaining = new AtomicInteger(items.size());
    this.onComplete = onComplete;
  }

  List<WriteItem> items() {
    return items;
  }

  int size() {
    return items.size();
  }

  boolean isCompleted(int item) {
    return results.get(item) != null;
  }

  void complete(int item, WriteResult result) {
    if (!results.compareAndSet(item, null, result)) {
      return;
    }
    if (remaining.decrementAndGet() == 0) {
      allComplete.countDown();
      onComplete.run();
    }
  }

  public void fail(int item, ErrorBody error) {
    complete(item, new WriteResult.Failed(error));
  }

  /** Completes all items from {@code first} on that are not completed yet. */
  public void failFrom(int first, ErrorBody error) {
    for (int item = first; item < items.size(); item++) {
      fail(item, error);
    }
  }

  void countAppended() {
    appended.incrementAndGet();
  }

  /** Whether no operation of this request was appended. */
  boolean nothingAppended() {
    return appended.get() == 0;
  }

  /**
   * Waits for all items. Items that are not completed by the timeout may or may not be in the log.
   */
  List<WriteResult> await(Duration timeout) throws InterruptedException {
    boolean complete = allComplete.await(timeout.toNanos(), TimeUnit.NANOSECONDS);
    List<WriteResult> answer = results(timeout);
    if (!complete && nothingAppended()) {
      throw new IllegalStateException("items of a bulk were neither appended nor completed");
    }
    return answer;
  }

  /**
   * The results of the items, in order.
   *
   * @param waited how long the caller has waited for items that are not completed
   */
  public List<WriteResult> results(Duration waited) {
    List<WriteResult> answer = new ArrayList<>(items.size());
    for (int item = 0; item < items.size(); item++) {
      WriteResult result = results.get(item);
      answer.add(
          result == null
              ? new WriteResult.Failed(unknown("the log did not answer within " + waited))
              : result);
    }
    return answer;
  }

  static ErrorBody unknown(String reason) {
    return ErrorBody.of(
        503, WriteResult.UNKNOWN_OUTCOME, "the write may or may not have been accepted: " + reason);
  }
}
