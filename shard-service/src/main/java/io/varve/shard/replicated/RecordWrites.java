package io.varve.shard.replicated;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RecordOperations;
import io.varve.rpc.RereplicationPage.Writes;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes the records of a page of a walk, each on condition that it is still the version that the
 * walk found. The writes are those of clients: they go through the log and have a next version.
 *
 * <pre>
 *   the record           effect
 *   changed before       skipped: its new version is beyond the end of the walk
 *   changed since        a conflict: skipped, or the walk ends
 *   can't be written now the page ends before it, and the next step tries again
 *   is refused           the walk ends
 * </pre>
 *
 * <p>A record that an earlier, interrupted step has written already counts as changed, so no record
 * is written twice. One object writes one page.
 */
final class RecordWrites {

  /** Sources that are in memory at a time; a larger one is written alone. */
  static final long MOST_BYTES = 1 << 20;

  private final Function<String, GetResult> documents;
  private final RecordOperations operations;
  private final boolean proceed;
  private final RereplicationSteps.Bulk bulk;
  private final List<Version> versions = new ArrayList<>();
  private final List<WriteItem> items = new ArrayList<>();
  private long bytes;
  private Writes writes = Writes.NONE;
  private long stoppedAt = Long.MAX_VALUE;
  private @Nullable ErrorBody failure;
  private @Nullable ErrorBody busy;

  /**
   * @param documents reads the newest version of a document by its id
   */
  RecordWrites(
      Function<String, GetResult> documents,
      RecordOperations operations,
      boolean proceed,
      RereplicationSteps.Bulk bulk) {
    this.documents = documents;
    this.operations = operations;
    this.proceed = proceed;
    this.bulk = bulk;
  }

  /**
   * The end of a page.
   *
   * @param nextSeqNo where the next page begins
   * @param failure ends the walk; null if it can go on
   */
  record End(Writes writes, long nextSeqNo, @Nullable ErrorBody failure) {}

  /**
   * Writes the records of a page, which are in the order of their seq_nos.
   *
   * @param nextSeqNo where the next page begins if all are written
   * @throws ApiException if the first record can't be written now
   */
  End write(List<Version> page, long nextSeqNo) throws InterruptedException {
    for (Version version : page) {
      add(version);
      if (bytes >= MOST_BYTES) {
        flush();
      }
      if (stopped()) {
        break;
      }
    }
    flush();
    if (busy != null && failure == null && stoppedAt == page.getFirst().seqNo()) {
      throw new ApiException(busy);
    }
    return new End(writes, Math.min(stoppedAt, nextSeqNo), failure);
  }

  private boolean stopped() {
    return stoppedAt != Long.MAX_VALUE;
  }

  private void add(Version version) {
    GetResult found = documents.apply(version.id());
    if (!found.found() || found.seqNo() != version.seqNo()) {
      return;
    }
    try {
      WriteItem item =
          operations
              .item(version.id(), found.source())
              .routedBy(found.routing())
              .ifAt(version.seqNo(), version.term());
      items.add(item);
      versions.add(version);
      bytes += item.bodyLength();
    } catch (ApiException e) {
      stop(version, e.error());
    }
  }

  private void flush() throws InterruptedException {
    if (items.isEmpty()) {
      return;
    }
    List<WriteResult> results = results();
    for (int i = 0; i < results.size(); i++) {
      switch (results.get(i)) {
        case WriteResult.Done(var result, _, _, _, _) when result.equals("noop") -> count(0, 1, 0);
        case WriteResult.Done _ -> count(1, 0, 0);
        case WriteResult.Failed(var error) -> failed(versions.get(i), error);
      }
    }
    items.clear();
    versions.clear();
    bytes = 0;
  }

  private List<WriteResult> results() throws InterruptedException {
    try {
      return bulk.write(items);
    } catch (ApiException e) {
      return Collections.nCopies(items.size(), new WriteResult.Failed(e.error()));
    }
  }

  private void failed(Version version, ErrorBody error) {
    if (error.type().equals("version_conflict_engine_exception")) {
      count(0, 0, 1);
      if (!proceed) {
        stop(version, error);
      }
    } else if (mayPass(error)) {
      stoppedAt = Math.min(stoppedAt, version.seqNo());
      busy = error;
    } else {
      stop(version, error);
    }
  }

  /**
   * The shard is busy or moving, or the outcome is unknown; the version of the record then shows
   * whether it was written.
   */
  private static boolean mayPass(ErrorBody error) {
    return error.status() == 429
        || error.status() == 503
        || error.type().equals(WriteResult.STALE_PRIMARY);
  }

  private void stop(Version version, ErrorBody error) {
    stoppedAt = Math.min(stoppedAt, version.seqNo());
    if (failure == null) {
      failure = error;
    }
  }

  private void count(long updated, long noops, long conflicts) {
    writes = writes.plus(new Writes(updated, noops, conflicts));
  }
}
