package io.varve.shard.replicated;

import io.varve.engine.SearchableCopy;
import io.varve.engine.version.DocumentState;
import io.varve.events.ShardId;
import io.varve.host.reading.LogEnd;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.DocumentsWire.Wanted;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire.Version;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Queries the copies of a shard for the present versions of its documents, on the primary of a
 * strongly consistent index. {@link ConfirmationRounds} uses it for the documents of one request.
 */
public final class Confirmer {

  static final String NOT_IN_TIME = "not all copies have confirmed it in time";

  /** The documents of the primary. */
  public interface Documents {

    /** Reads the newest applied state. */
    GetResult get(Wanted wanted);

    /** The newest applied state, including a tombstone; null if there is neither. */
    @Nullable DocumentState state(String id);
  }

  /**
   * The parts of the primary that are used.
   *
   * @param applied the seq_no up to which it has applied everything
   * @param show makes the copy show a seq_no soon, because replicas of segments follow it
   */
  public record Primary(
      ShardId shard,
      Documents documents,
      OffsetWatcher applied,
      LogEnd logEnd,
      LongConsumer show) {}

  private final Primary primary;
  private final ReplicationTracker tracker;
  private final ReplicatedRecords records;
  private final BiConsumer<Disputed, Member> contradicted;

  /** Contradictions are not decided. */
  public Confirmer(Primary primary, ReplicationTracker tracker) {
    this(primary, tracker, (_, _) -> {});
  }

  /**
   * @param contradicted receives a version of the primary, and the copy that contradicts it; blocks
   */
  Confirmer(
      Primary primary, ReplicationTracker tracker, BiConsumer<Disputed, Member> contradicted) {
    this.primary = primary;
    this.tracker = tracker;
    this.records = tracker.records();
    this.contradicted = contradicted;
  }

  /** The documents of a copy in an index. */
  public static Documents documents(SearchableCopy copy) {
    return new Documents() {
      @Override
      public GetResult get(Wanted wanted) {
        return copy.get(wanted.id(), true, wanted.storedFields());
      }

      @Override
      public @Nullable DocumentState state(String id) {
        return copy.state(id);
      }
    };
  }

  ShardId shard() {
    return primary.shard();
  }

  ReplicationTracker tracker() {
    return tracker;
  }

  ReplicatedRecords records() {
    return records;
  }

  /** A document as the primary has it, and its version. */
  record Read(GetResult result, Version version) {}

  Read read(Wanted wanted) {
    while (true) {
      long applied = primary.applied().current();
      GetResult result = primary.documents().get(wanted);
      if (result.found()) {
        return new Read(result, Version.of(result.id(), result.seqNo(), result.primaryTerm()));
      }
      DocumentState state = primary.documents().state(wanted.id());
      if (state == null || state.deleted()) {
        return new Read(result, version(wanted.id(), state, applied));
      }
    }
  }

  /** The present version of a document. */
  Version present(String id) {
    long applied = primary.applied().current();
    return version(id, primary.documents().state(id), applied);
  }

  static Version version(String id, @Nullable DocumentState state, long applied) {
    if (state == null) {
      return Version.absent(id, applied);
    }
    return state.deleted()
        ? Version.deleted(id, state.seqNo(), state.term())
        : Version.of(id, state.seqNo(), state.term());
  }

  ReplicatedRecords.Step confirm(Version version) {
    return records.confirm(version, tracker.nowMillis());
  }

  /** Asks the copies for the versions that were not asked for yet. */
  void askAll(Collection<Confirmation> asked) {
    primary.show().accept(asked.stream().mapToLong(c -> c.version().seqNo()).max().orElse(-1));
    tracker.askAll();
  }

  /**
   * A copy has a later version, which the primary lacks although it has applied the end of the log.
   */
  void contradicted(Disputed disputed, Member by) {
    records.contradicted(disputed.version(), by);
    execute(() -> contradicted.accept(disputed, by));
  }

  /** The newest seq_no in the log. */
  CompletableFuture<Long> newest() {
    return primary.logEnd().newest();
  }

  /** The seq_no up to which the primary has applied everything. */
  long applied() {
    return primary.applied().current();
  }

  CompletableFuture<Boolean> applied(long seqNo) {
    return primary.applied().reached(seqNo);
  }

  void forget(CompletableFuture<Boolean> applied) {
    primary.applied().forget(applied);
  }

  void execute(Runnable task) {
    tracker.node().execute(task);
  }

  ErrorBody tooMany(String reason) {
    return ErrorBody.of(429, "rejected_execution_exception", primary.shard() + ": " + reason);
  }

  ErrorBody unconfirmed(Version version, String reason) {
    return ErrorBody.of(
            503,
            ConfirmedReads.UNCONFIRMED_TYPE,
            "[%s] of %s is not known to be replicated: %s"
                .formatted(version.id(), primary.shard(), reason))
        .with("seq_no", version.seqNo());
  }
}
