package io.varve.coordinator.rest.byquery;

import io.varve.client.consistency.ReadPromise;
import io.varve.coordinator.rest.document.InnerWrites;
import io.varve.coordinator.rest.search.HitPages;
import io.varve.coordinator.rest.task.Task;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.WriteResult;
import io.varve.search.ShardFailure;
import io.varve.search.Slice;
import io.varve.search.hits.IndexHit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Processes a search or a slice of a search: turns each page of hits into a bulk.
 *
 * <p>Each write is conditional on the version of the document that was found, so a document that
 * has changed or was deleted since then causes a version conflict and is not written. The worker
 * stops after the first batch with a failure. A conflict also stops it, unless the request allows
 * it to proceed. Writes that a busy node rejected are retried with exponential backoff.
 */
final class Worker {

  private static final int MOST_RETRIES = 11;
  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final int CONFLICT = 409;

  private final ByQuery query;
  private final @Nullable Slice part;
  private final long maxDocs;
  private final Task task;
  private final Throttle throttle;
  private final Set<String> written = new LinkedHashSet<>();
  private final List<Map<String, Object>> failures = new ArrayList<>();
  private ByQueryStatus.Done done = new ByQueryStatus.Done(0, 0, 0, 0);
  private long total;
  private long batches;
  private long conflicts;
  private long passed;
  private long bulkRetries;
  private boolean timedOut;
  private int worstStatus = 200;

  Worker(ByQuery query, @Nullable Slice part, long maxDocs, Task task, Throttle throttle) {
    this.query = query;
    this.part = part;
    this.maxDocs = maxDocs;
    this.task = task;
    this.throttle = throttle;
    task.onCancel(throttle::end);
  }

  /** The result of a worker. */
  record End(
      List<Map<String, Object>> failures, Set<String> indices, boolean timedOut, int status) {}

  End run(HitPages.Source source, InnerWrites writes) throws InterruptedException {
    int size = (int) Math.min(query.options().batch(), maxDocs);
    long left = maxDocs;
    long before = 0;
    long pauseMillis = 0;
    long beganNanos = throttle.nanos();
    try (HitPages pages =
        source.of(
            query.search(part, size),
            query.found().where(),
            query.options().keepAlive(),
            task,
            ReadPromise.of(query.options().care().marks().asked()))) {
      while (!task.cancelled() && failures.isEmpty() && left > 0) {
        throttle.await(before, beganNanos, pauseMillis);
        if (task.cancelled()) {
          break;
        }
        pauseMillis = throttle.millisFor(size);
        HitPages.Page page = pages.next(pauseMillis);
        took(page);
        List<IndexHit> hits = page.hits();
        if (hits.isEmpty() || !failures.isEmpty()) {
          break;
        }
        List<IndexHit> batch = hits.size() > left ? hits.subList(0, (int) left) : hits;
        beganNanos = throttle.nanos();
        write(batch, writes);
        before = batch.size();
        left -= batch.size();
        if (processed() >= total) {
          break;
        }
      }
    }
    return end();
  }

  private synchronized void took(HitPages.Page page) {
    total = Math.min(maxDocs, page.total());
    timedOut |= page.timedOut();
    for (ShardFailure failure : page.failures()) {
      Map<String, Object> shown = new LinkedHashMap<>(failure.toMap());
      shown.put("status", failure.reason().status());
      failures.add(shown);
      worstStatus = Math.max(worstStatus, failure.reason().status());
    }
  }

  private synchronized long processed() {
    return done.created() + done.updated() + done.deleted() + done.noops() + conflicts + passed;
  }

  private void write(List<IndexHit> hits, InnerWrites writes) throws InterruptedException {
    List<IndexHit> toWrite = query.before().writes(hits, task, throttle);
    countPassed(hits.size() - toWrite.size());
    List<InnerWrites.Write> left = toWrite.stream().map(query.writing()).toList();
    long pauseMillis = FIRST_PAUSE_MILLIS;
    countBatch();
    for (int attempt = 0; !left.isEmpty(); attempt++) {
      List<WriteResult> results = writes.write(left, query.options().care());
      List<InnerWrites.Write> again = new ArrayList<>();
      for (int i = 0; i < results.size(); i++) {
        boolean busy =
            results.get(i) instanceof WriteResult.Failed(var error) && error.status() == 429;
        if (busy && attempt < MOST_RETRIES && !task.cancelled()) {
          again.add(left.get(i));
        } else {
          wrote(left.get(i), results.get(i));
        }
      }
      left = again;
      if (!again.isEmpty()) {
        countRetry();
        throttle.pause(pauseMillis);
        pauseMillis += pauseMillis / 2;
      }
    }
  }

  private synchronized void countPassed(int hits) {
    passed += hits;
  }

  private synchronized void countBatch() {
    batches++;
  }

  private synchronized void countRetry() {
    bulkRetries++;
  }

  private synchronized void wrote(InnerWrites.Write write, WriteResult result) {
    written.add(write.index());
    switch (result) {
      case WriteResult.Done of ->
          done =
              switch (of.result()) {
                case "created" -> counted(1, 0, 0, 0);
                case "updated" -> counted(0, 1, 0, 0);
                case "deleted", "not_found" -> counted(0, 0, 1, 0);
                default -> counted(0, 0, 0, 1);
              };
      case WriteResult.Failed(var error) -> failed(write, error);
    }
  }

  private ByQueryStatus.Done counted(long created, long updated, long deleted, long noops) {
    return new ByQueryStatus.Done(
        done.created() + created,
        done.updated() + updated,
        done.deleted() + deleted,
        done.noops() + noops);
  }

  private void failed(InnerWrites.Write write, ErrorBody error) {
    boolean conflict = WriteResult.isVersionConflict(error);
    if (conflict) {
      conflicts++;
      if (query.options().proceed()) {
        return;
      }
    }
    int status = conflict ? CONFLICT : error.status();
    Map<String, Object> failure = new LinkedHashMap<>();
    failure.put("index", write.index());
    failure.put("id", write.item().id());
    failure.put("cause", error.toMap());
    failure.put("status", status);
    failures.add(failure);
    worstStatus = Math.max(worstStatus, status);
  }

  /** The result of a worker that failed: its work until then counts. */
  synchronized End endBy(ErrorBody error) {
    Map<String, Object> failure = new LinkedHashMap<>();
    failure.put("status", error.status());
    failure.put("reason", error.toMap());
    failures.add(failure);
    worstStatus = Math.max(worstStatus, error.status());
    return end();
  }

  synchronized End end() {
    return new End(List.copyOf(failures), Set.copyOf(written), timedOut, worstStatus);
  }

  synchronized ByQueryStatus tally() {
    return new ByQueryStatus(
        total,
        done,
        batches,
        conflicts,
        new ByQueryStatus.Retries(bulkRetries, 0),
        new ByQueryStatus.Held(
            throttle.waitedMillis(), throttle.perSecond(), throttle.leftMillis()));
  }
}
