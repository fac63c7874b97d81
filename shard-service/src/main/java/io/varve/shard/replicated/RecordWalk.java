package io.varve.shard.replicated;

import io.varve.engine.SearchableCopy;
import io.varve.engine.SearchableCopy.LiveVersion;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ApiException;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RereplicationPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;

/**
 * Walks the documents of a shard that are not known to be replicated, in the order of their
 * seq_nos, and has the copies asked for them by id. Changes no document.
 *
 * <p>The walk ends at the seq_no that was applied when it began: what is written later is proven by
 * the progress of the copies.
 */
public final class RecordWalk {

  /** The number of seq_nos that are read at a time. */
  private static final int WINDOW = 1_000;

  /** Windows without a record to ask for that one page passes over. */
  private static final int MOST_WINDOWS = 1_000;

  /** A question ends by itself; this is only a guard. */
  private static final Duration LONGEST = Duration.ofMinutes(6);

  private final SearchableCopy copy;
  private final OffsetWatcher applied;
  private final LongConsumer show;
  private final ReplicationTracker tracker;
  private final ReplicatedRecords records;

  /**
   * @param applied the seq_no up to which the primary has applied everything
   * @param show makes the copy show a seq_no soon, because replicas of segments follow it
   */
  public RecordWalk(
      SearchableCopy copy, OffsetWatcher applied, LongConsumer show, ReplicationTracker tracker) {
    this.copy = copy;
    this.applied = applied;
    this.show = show;
    this.tracker = tracker;
    this.records = tracker.records();
  }

  /** The records of one page, and where the next one begins. */
  public record Window(List<Version> versions, long nextSeqNo, long endSeqNo) {}

  /**
   * Finds the next records.
   *
   * @param endSeqNo of the walk, exclusive; negative if it begins now
   */
  public Window next(long fromSeqNo, long endSeqNo) {
    long end = endSeqNo < 0 ? applied.current() + 1 : endSeqNo;
    LongPredicate wanted = records.unreplicated();
    long next = Math.max(fromSeqNo, records.replicatedUpTo() + 1);
    List<LiveVersion> found = List.of();
    for (int i = 0; i < MOST_WINDOWS && found.isEmpty() && next < end; i++) {
      long to = Math.min(end, next + WINDOW);
      found = copy.between(next, to, wanted);
      next = to;
    }
    return new Window(
        found.stream().map(one -> Version.of(one.id(), one.seqNo(), one.term())).toList(),
        Math.min(next, Math.max(end, fromSeqNo)),
        end);
  }

  /** The outcomes of a page, and where the next one begins. */
  public record Peeked(RereplicationPage.Outcomes outcomes, long nextSeqNo) {}

  /**
   * Asks for the records of a page until one is refused, and waits for the outcomes.
   *
   * @throws ApiException 429 if the first record is refused
   */
  public Peeked peek(Window window) throws InterruptedException {
    List<Confirmation> asked = new ArrayList<>();
    long replicated = 0;
    long next = window.nextSeqNo();
    for (Version version : window.versions()) {
      switch (records.confirm(version, tracker.nowMillis())) {
        case ReplicatedRecords.Step.Replicated _ -> replicated++;
        case ReplicatedRecords.Step.Asking(var confirmation) -> asked.add(confirmation);
        case ReplicatedRecords.Step.Refused(var reason) -> {
          if (asked.isEmpty()) {
            throw new ApiException(429, "rejected_execution_exception", reason);
          }
          next = Math.min(next, version.seqNo());
        }
      }
      if (next < window.nextSeqNo()) {
        break;
      }
    }
    if (!asked.isEmpty()) {
      show.accept(asked.getLast().version().seqNo());
      tracker.askAll();
    }
    return new Peeked(outcomes(asked, replicated), next);
  }

  private static RereplicationPage.Outcomes outcomes(List<Confirmation> asked, long replicated)
      throws InterruptedException {
    long success = replicated;
    long error = 0;
    long timeout = 0;
    long newer = 0;
    for (Confirmation confirmation : asked) {
      switch (outcome(confirmation)) {
        case Confirmation.Outcome.Replicated _ -> success++;
        case Confirmation.Outcome.Contradicted _ -> error++;
        case Confirmation.Outcome.OutOfTime _ -> timeout++;
        case Confirmation.Outcome.Newer _ -> newer++;
      }
    }
    return new RereplicationPage.Outcomes(success, error, timeout, newer);
  }

  private static Confirmation.Outcome outcome(Confirmation confirmation)
      throws InterruptedException {
    try {
      return confirmation.outcome().copy().get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return new Confirmation.Outcome.OutOfTime();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  /**
   * Waits until all copies said that they hold what the primary has applied, and takes that as the
   * proof for all records, whatever {@code index.replication.appeals} is.
   *
   * @return whether they said it in time
   */
  public boolean appeal(Duration timeout) throws InterruptedException {
    long seqNo = applied.current();
    tracker.askAll();
    if (!records.heldByAll().await(seqNo, timeout)) {
      return false;
    }
    records.appeal();
    return true;
  }
}
