package io.varve.shard.replicated;

import io.varve.engine.SearchableCopy;
import io.varve.engine.version.DocumentState;
import io.varve.events.ShardId;
import io.varve.host.reading.LogEnd;
import io.varve.host.reading.StrongReads;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ApiException;
import io.varve.rpc.DocumentsWire.Wanted;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.WriteItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The reads of the primary of a strongly consistent index, and the check before its writes.
 *
 * <p>A read takes the newest version, and returns it once every copy holds it. If a copy holds a
 * later one, the end of the log decides: the primary catches up and the read begins again, or it
 * has a successor. A deleted or absent document is confirmed in the same way.
 *
 * <p>A write whose document's present version is in state 2 or 3 first waits until that is
 * replicated, because the result of the write reveals it.
 */
public final class ConfirmedReads implements StrongReads {

  /** Type of the error when the copies did not confirm a record in time. */
  public static final String UNCONFIRMED_TYPE = "record_unreplicated_exception";

  /**
   * The parts of the primary that reads use.
   *
   * @param applied the seq_no up to which it has applied everything
   * @param show makes the copy show a seq_no soon, because replicas of segments follow it
   */
  public record Primary(
      ShardId shard,
      SearchableCopy copy,
      OffsetWatcher applied,
      LogEnd logEnd,
      LongConsumer show) {}

  private final Primary primary;
  private final ReplicationTracker tracker;
  private final ReplicatedRecords records;

  public ConfirmedReads(Primary primary, ReplicationTracker tracker) {
    this.primary = primary;
    this.tracker = tracker;
    this.records = tracker.records();
  }

  private record Read(GetResult result, Version version) {}

  @Override
  public List<GetResult> get(List<Wanted> wanted, Duration timeout) throws InterruptedException {
    long deadlineMillis = tracker.nowMillis() + timeout.toMillis();
    GetResult[] results = new GetResult[wanted.size()];
    List<Integer> open = new ArrayList<>();
    for (int i = 0; i < wanted.size(); i++) {
      open.add(i);
    }
    while (!open.isEmpty()) {
      Map<Integer, Version> versions = new LinkedHashMap<>();
      for (int i : open) {
        Read read = read(wanted.get(i));
        results[i] = read.result();
        versions.put(i, read.version());
      }
      open = confirm(versions, deadlineMillis);
      if (!open.isEmpty()) {
        catchUp(deadlineMillis);
      }
    }
    return List.of(results);
  }

  private Read read(Wanted wanted) {
    while (true) {
      long applied = primary.applied().current();
      GetResult result = primary.copy().get(wanted.id(), true, wanted.storedFields());
      if (result.found()) {
        return new Read(result, Version.of(result.id(), result.seqNo(), result.primaryTerm()));
      }
      DocumentState state = primary.copy().state(wanted.id());
      if (state == null || state.deleted()) {
        return new Read(result, version(wanted.id(), state, applied));
      }
    }
  }

  private static Version version(String id, @Nullable DocumentState state, long applied) {
    if (state == null) {
      return Version.absent(id, applied);
    }
    return state.deleted()
        ? Version.deleted(id, state.seqNo(), state.term())
        : Version.of(id, state.seqNo(), state.term());
  }

  /** Returns the keys whose document has a later version on some copy. */
  private List<Integer> confirm(Map<Integer, Version> versions, long deadlineMillis)
      throws InterruptedException {
    List<Integer> again = new ArrayList<>();
    for (Map.Entry<Integer, Confirmation> entry : ask(versions).entrySet()) {
      if (!await(entry.getValue(), deadlineMillis)) {
        again.add(entry.getKey());
      }
    }
    return again;
  }

  /**
   * Asks for the versions that are not known to be replicated.
   *
   * @throws ApiException 429 if one is refused; the others are asked for nevertheless, because
   *     other requests may wait for them
   */
  private Map<Integer, Confirmation> ask(Map<Integer, Version> versions) {
    Map<Integer, Confirmation> asked = new LinkedHashMap<>();
    String refusal = null;
    long newest = -1;
    long nowMillis = tracker.nowMillis();
    for (Map.Entry<Integer, Version> entry : versions.entrySet()) {
      switch (records.confirm(entry.getValue(), nowMillis)) {
        case ReplicatedRecords.Step.Replicated _ -> {}
        case ReplicatedRecords.Step.Asking(var confirmation) -> {
          asked.put(entry.getKey(), confirmation);
          newest = Math.max(newest, entry.getValue().seqNo());
        }
        case ReplicatedRecords.Step.Refused(var reason) -> refusal = reason;
      }
    }
    if (!asked.isEmpty()) {
      primary.show().accept(newest);
      tracker.askAll();
    }
    if (refusal != null) {
      throw new ApiException(429, "rejected_execution_exception", primary.shard() + ": " + refusal);
    }
    return asked;
  }

  /** Returns false if a copy holds a later version. */
  private boolean await(Confirmation confirmation, long deadlineMillis)
      throws InterruptedException {
    return switch (result(confirmation, deadlineMillis)) {
      case Confirmation.Outcome.Replicated _ -> true;
      case Confirmation.Outcome.Newer _ -> false;
      case Confirmation.Outcome.Contradicted(var by) ->
          throw unconfirmed(
              confirmation.version(), "copy " + by.copyId() + " holds another version of it");
      case Confirmation.Outcome.OutOfTime _ ->
          throw unconfirmed(confirmation.version(), "not all copies have confirmed it in time");
    };
  }

  private Confirmation.Outcome result(Confirmation confirmation, long deadlineMillis)
      throws InterruptedException {
    CompletableFuture<Confirmation.Outcome> outcome = confirmation.outcome();
    try {
      // Others wait for the same outcome: the timeout ends only this wait.
      return outcome
          .copy()
          .get(Math.max(0, deadlineMillis - tracker.nowMillis()), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return new Confirmation.Outcome.OutOfTime();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private ApiException unconfirmed(Version version, String reason) {
    return new ApiException(
        ErrorBody.of(
                503,
                UNCONFIRMED_TYPE,
                "["
                    + version.id()
                    + "] of "
                    + primary.shard()
                    + " is not known to be replicated: "
                    + reason)
            .with("seq_no", version.seqNo()));
  }

  private void catchUp(long deadlineMillis) throws InterruptedException {
    Duration left = Duration.ofMillis(Math.max(0, deadlineMillis - tracker.nowMillis()));
    long newest = primary.logEnd().newest(left);
    if (left.isZero() || !primary.applied().await(newest, left)) {
      throw new ApiException(
          503,
          "no_shard_available_action_exception",
          "the primary of " + primary.shard() + " has not applied seq_no " + newest);
    }
  }

  @Override
  public boolean awaitHeldByAll(long seqNo, Duration timeout) throws InterruptedException {
    tracker.askAll();
    return records.heldByAll().await(seqNo, timeout);
  }

  @Override
  public long admit(String copyId, String incarnation) {
    return tracker
        .admit(new Member(copyId, incarnation))
        .orElseThrow(() ->
            new ApiException(
                503,
                "no_shard_available_action_exception",
                "the primary of " + primary.shard() + " does not know copy " + copyId + " yet"));
  }

  /**
   * Waits until the documents of these writes are not in state 2 or 3.
   *
   * @return the errors of writes that must not be executed, by position
   */
  public Map<Integer, ErrorBody> awaitBases(List<WriteItem> items, Duration timeout)
      throws InterruptedException {
    long deadlineMillis = tracker.nowMillis() + timeout.toMillis();
    Map<Integer, ErrorBody> refused = new LinkedHashMap<>();
    if (!records.hasUnreplicated()) {
      return refused;
    }
    for (int i = 0; i < items.size(); i++) {
      if (!items.get(i).autoId()) {
        try {
          awaitBase(items.get(i).id(), deadlineMillis);
        } catch (ApiException e) {
          refused.put(i, e.error());
        }
      }
    }
    return refused;
  }

  private void awaitBase(String id, long deadlineMillis) throws InterruptedException {
    while (true) {
      long applied = primary.applied().current();
      Version version = version(id, primary.copy().state(id), applied);
      ReplicationState state = records.state(version);
      boolean waits =
          state == ReplicationState.UNREPLICATED || state == ReplicationState.RE_REPLICATING;
      if (!waits || confirm(Map.of(0, version), deadlineMillis).isEmpty()) {
        return;
      }
      catchUp(deadlineMillis);
    }
  }
}
