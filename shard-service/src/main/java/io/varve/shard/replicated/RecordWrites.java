package io.varve.shard.replicated;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPage.Writes;
import io.varve.rpc.RereplicationWork;
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
 * is written twice.
 *
 * <p>One object writes one page, and never blocks: {@link #next} returns the writes of a bulk until
 * the page has ended, {@link #answered} or {@link #refused} takes the outcome of each, and {@link
 * #end} follows.
 */
public final class RecordWrites {

  /** Sources that are in memory at a time; a larger one is written alone. */
  static final long MOST_BYTES = 1 << 20;

  private final Function<String, GetResult> documents;
  private final RereplicationWork work;
  private final List<Version> page;
  private final long nextSeqNo;
  private int position;
  private final List<Version> versions = new ArrayList<>();
  private final List<WriteItem> items = new ArrayList<>();
  private long bytes;
  private Writes writes = Writes.NONE;
  private long stoppedAt = Long.MAX_VALUE;
  private @Nullable ErrorBody failure;
  private @Nullable ErrorBody busy;

  /**
   * @param documents reads the newest version of a document by its id
   * @param peeked the page; its proven records are written
   */
  public RecordWrites(
      Function<String, GetResult> documents, RereplicationWork work, RecordWalk.Peeked peeked) {
    this.documents = documents;
    this.work = work;
    this.page = peeked.proven();
    this.nextSeqNo = peeked.nextSeqNo();
  }

  /**
   * The end of a page.
   *
   * @param nextSeqNo where the next page begins
   * @param failure ends the walk; null if it can continue
   */
  public record End(Writes writes, long nextSeqNo, @Nullable ErrorBody failure) {

    /** The end of a page whose records are not written. */
    public static End withoutWrites(RecordWalk.Peeked peeked) {
      return new End(Writes.NONE, peeked.nextSeqNo(), null);
    }

    /** The outcomes of the records before the end. */
    public RereplicationPage.Outcomes outcomes(RecordWalk.Window window, RecordWalk.Peeked peeked) {
      long checked = window.versions().stream().filter(one -> one.seqNo() < nextSeqNo).count();
      return new RereplicationPage.Outcomes(checked, peeked.proofs(), writes);
    }
  }

  /** The writes of the next bulk; none if the page has ended. */
  public List<WriteItem> next() {
    while (position < page.size() && bytes < MOST_BYTES && !stopped()) {
      add(page.get(position++));
    }
    return List.copyOf(items);
  }

  /** Takes the results of the last bulk, one for each write. */
  public void answered(List<WriteResult> results) {
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

  /** The last bulk was refused as a whole. */
  public void refused(ErrorBody error) {
    answered(Collections.nCopies(items.size(), new WriteResult.Failed(error)));
  }

  /**
   * The end of the page, after its last bulk.
   *
   * @throws ApiException if the first record can't be written now
   */
  public End end() {
    if (busy != null && failure == null && stoppedAt == page.getFirst().seqNo()) {
      throw new ApiException(busy);
    }
    return new End(writes, Math.min(stoppedAt, nextSeqNo), failure);
  }

  /**
   * Writes the page with bulks that block.
   *
   * @throws ApiException if the first record can't be written now
   */
  End through(RereplicationSteps.Bulk bulk) throws InterruptedException {
    for (List<WriteItem> writing = next(); !writing.isEmpty(); writing = next()) {
      List<WriteResult> results;
      try {
        results = bulk.write(writing);
      } catch (ApiException e) {
        refused(e.error());
        continue;
      }
      answered(results);
    }
    return end();
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
          work.operations()
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

  private void failed(Version version, ErrorBody error) {
    if (WriteResult.isVersionConflict(error)) {
      count(0, 0, 1);
      if (!work.proceed()) {
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
