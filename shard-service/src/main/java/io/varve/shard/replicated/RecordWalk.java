package io.varve.shard.replicated;

import io.varve.engine.DocumentsBySeqNo;
import io.varve.engine.Matching;
import io.varve.engine.SearchableCopy.LiveVersion;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ApiException;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.RereplicationPage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads the documents of a shard in the order of their seq_nos, and queries the copies by id for
 * those that are not known to be replicated. Changes no document.
 *
 * <p>The walk ends at the seq_no that was applied when it began; the progress reports of the copies
 * prove later writes.
 */
public final class RecordWalk {

  /** The number of seq_nos that are read at a time. */
  static final int WINDOW = 1_000;

  /** The number of windows without a record that one page may skip. */
  private static final int MOST_WINDOWS = 1_000;

  /** A query ends by its own timeout; this limit is only a safeguard. */
  private static final Duration LONGEST = Duration.ofMinutes(6);

  private final DocumentsBySeqNo copy;
  private final OffsetWatcher applied;
  private final LongConsumer show;
  private final ReplicationTracker tracker;
  private final ReplicatedRecords records;
  private final int windowSeqNos;
  private final UnreplicatedDocuments unreplicated;

  /**
   * @param applied the seq_no up to which the primary has applied everything
   * @param show makes the copy show a seq_no soon, because replicas of segments follow it
   * @param windowSeqNos the number of seq_nos that are read at a time
   */
  public RecordWalk(
      DocumentsBySeqNo copy,
      OffsetWatcher applied,
      LongConsumer show,
      ReplicationTracker tracker,
      int windowSeqNos) {
    this.copy = copy;
    this.applied = applied;
    this.show = show;
    this.tracker = tracker;
    this.records = tracker.records();
    this.windowSeqNos = windowSeqNos;
    this.unreplicated = new UnreplicatedDocuments(records, copy::state);
  }

  /**
   * The records of a walk.
   *
   * @param replicated whether the walk includes records that are known to be replicated
   */
  public record Selection(boolean replicated, Matching matching) {}

  /** The records of one page, and where the next one begins. */
  public record Window(List<Version> versions, long nextSeqNo, long endSeqNo) {}

  /**
   * Finds the next records.
   *
   * @param endSeqNo of the walk, exclusive; negative if it begins now
   */
  public Window next(long fromSeqNo, long endSeqNo, Selection selection) {
    long end = endSeqNo < 0 ? applied.current() + 1 : endSeqNo;
    LongPredicate wanted = wanted(selection);
    long next =
        selection.replicated() ? fromSeqNo : Math.max(fromSeqNo, records.replicatedUpTo() + 1);
    List<LiveVersion> found = List.of();
    for (int i = 0; i < MOST_WINDOWS && found.isEmpty() && next < end; i++) {
      long to = Math.min(end, next + windowSeqNos);
      found = copy.between(next, to, wanted, selection.matching());
      next = to;
    }
    return new Window(
        found.stream().map(one -> Version.of(one.id(), one.seqNo(), one.term())).toList(),
        Math.min(next, Math.max(end, fromSeqNo)),
        end);
  }

  private LongPredicate wanted(Selection selection) {
    return selection.replicated() ? _ -> true : unreplicated.now();
  }

  /** The number of records that a walk would find now. Reads all seq_nos. */
  public long count(Selection selection) {
    return copy.count(wanted(selection), selection.matching());
  }

  /**
   * The outcomes of a page, and where the next one begins.
   *
   * @param proven the records that are replicated, in order
   */
  public record Peeked(RereplicationPage.Proofs proofs, List<Version> proven, long nextSeqNo) {}

  /**
   * Asks for the records of a page until one is refused, and waits for the outcomes.
   *
   * @throws ApiException 429 if the first record is refused
   */
  Peeked peek(Window window) throws InterruptedException {
    Page page = ask(window);
    try {
      page.ended().get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // A query without an outcome counts as timed out.
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
    return page.peeked();
  }

  /**
   * Asks for the records of a page until one is refused; never blocks.
   *
   * @throws ApiException 429 if the first record is refused
   */
  public Page ask(Window window) {
    List<Asked> asked = new ArrayList<>();
    long next = window.nextSeqNo();
    for (Version version : window.versions()) {
      switch (records.confirm(version, tracker.nowMillis())) {
        case ReplicatedRecords.Step.Replicated _ -> asked.add(new Asked(version, null));
        case ReplicatedRecords.Step.Asking(var confirmation) ->
            asked.add(new Asked(version, confirmation));
        case ReplicatedRecords.Step.Refused(var reason) -> {
          if (asked.isEmpty()) {
            throw new ApiException(429, "rejected_execution_exception", reason);
          }
          next = version.seqNo();
        }
      }
      if (next < window.nextSeqNo()) {
        break;
      }
    }
    if (asked.stream().anyMatch(one -> one.confirmation() != null)) {
      show.accept(asked.getLast().version().seqNo());
      tracker.askAll();
    }
    return new Page(asked, next);
  }

  /** A version, with the query for it unless the version is already replicated. */
  private record Asked(Version version, @Nullable Confirmation confirmation) {

    /** Timed out if the query has not ended. */
    Confirmation.Outcome outcome() {
      return confirmation == null
          ? new Confirmation.Outcome.Replicated()
          : confirmation.outcome().getNow(new Confirmation.Outcome.OutOfTime());
    }
  }

  /** The queries for the records of a page. */
  public static final class Page {

    private final List<Asked> asked;
    private final long nextSeqNo;

    private Page(List<Asked> asked, long nextSeqNo) {
      this.asked = asked;
      this.nextSeqNo = nextSeqNo;
    }

    /** Completes when all queries have ended. */
    public CompletableFuture<Void> ended() {
      return CompletableFuture.allOf(
          asked.stream()
              .map(Asked::confirmation)
              .filter(Objects::nonNull)
              .map(Confirmation::outcome)
              .toArray(CompletableFuture[]::new));
    }

    /** The outcomes so far. */
    public Peeked peeked() {
      List<Version> proven = new ArrayList<>();
      long error = 0;
      long timeout = 0;
      long newer = 0;
      for (Asked one : asked) {
        switch (one.outcome()) {
          case Confirmation.Outcome.Replicated _ -> proven.add(one.version());
          case Confirmation.Outcome.Contradicted _ -> error++;
          case Confirmation.Outcome.OutOfTime _, Confirmation.Outcome.Unable _ -> timeout++;
          case Confirmation.Outcome.Newer _ -> newer++;
        }
      }
      return new Peeked(
          new RereplicationPage.Proofs(proven.size(), error, timeout, newer), proven, nextSeqNo);
    }
  }

  /**
   * Waits until all copies have reported that they hold what the primary has applied.
   *
   * @return the seq_no up to which they hold everything; empty if they did not report it in time
   */
  OptionalLong awaitHeld(Duration timeout) throws InterruptedException {
    long seqNo = applied.current();
    tracker.askAll();
    return records.heldByAll().await(seqNo, timeout)
        ? OptionalLong.of(seqNo)
        : OptionalLong.empty();
  }

  /**
   * Uses the reports of the copies as the proof for all records, regardless of {@code
   * index.replication.appeals}.
   */
  void appeal() {
    records.appeal();
  }

  /**
   * Uses a comparison without differences as the proof for all records.
   *
   * @return false if there are others now, or too few; then nothing is proven
   */
  boolean compared(Set<Opening> copies, long upToSeqNo) {
    return records.compared(copies, upToSeqNo);
  }
}
