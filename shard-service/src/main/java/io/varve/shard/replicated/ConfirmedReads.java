package io.varve.shard.replicated;

import io.varve.engine.SearchableCopy;
import io.varve.engine.version.DocumentState;
import io.varve.events.ShardId;
import io.varve.host.reading.LogEnd;
import io.varve.host.reading.StrongReads;
import io.varve.log.OffsetWatcher;
import io.varve.rpc.ApiException;
import io.varve.rpc.DocumentsWire.Result;
import io.varve.rpc.DocumentsWire.Wanted;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire.Version;
import io.varve.rpc.WriteItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The reads of the primary of a strongly consistent index, and the check before its writes.
 *
 * <p>A read takes the newest version, and returns it once every copy holds it. If a copy holds a
 * later one, the end of the log decides: the primary catches up and the read begins again, or it
 * has a successor. A deleted or absent document is confirmed in the same way. {@link
 * ConfirmationRounds} does this for all documents of a request together.
 *
 * <p>A write whose document's present version is in state 2 or 3 first waits until that is
 * replicated, because the result of the write reveals it.
 */
public final class ConfirmedReads implements StrongReads {

  /** Type of the error when the copies did not confirm a record in time. */
  public static final String UNCONFIRMED_TYPE = "record_unreplicated_exception";

  static final String NOT_IN_TIME = "not all copies have confirmed it in time";

  /** The documents of the primary. */
  public interface Documents {

    /** Reads the newest applied state. */
    GetResult get(Wanted wanted);

    /** The newest applied state, including a tombstone; null if there is neither. */
    @Nullable DocumentState state(String id);
  }

  /**
   * The parts of the primary that reads use.
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

  public ConfirmedReads(Primary primary, ReplicationTracker tracker) {
    this.primary = primary;
    this.tracker = tracker;
    this.records = tracker.records();
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

  @Override
  public List<Result> get(List<Wanted> wanted, Duration timeout) throws InterruptedException {
    Get get = new Get(wanted);
    var _ = get.begin();
    return get.results(get.rounds.await(timeout));
  }

  /** One request to read documents. */
  public final class Get {

    private final List<Wanted> wanted;
    private final @Nullable GetResult[] found;
    private final Version[] versions;
    private final ConfirmationRounds rounds;

    public Get(List<Wanted> wanted) {
      this.wanted = wanted;
      this.found = new GetResult[wanted.size()];
      this.versions = new Version[wanted.size()];
      this.rounds = new ConfirmationRounds(ConfirmedReads.this, this::take);
    }

    private Version take(int item) {
      Read read = read(wanted.get(item));
      found[item] = read.result();
      versions[item] = read.version();
      return read.version();
    }

    /** Completes with the errors of documents, by position; never blocks. */
    public CompletableFuture<Map<Integer, ErrorBody>> begin() {
      return rounds.begin(wanted.size());
    }

    /** The documents that are not confirmed yet fail. */
    public void outOfTime() {
      rounds.outOfTime();
    }

    /** The version that was read last; valid after the end. */
    public Version version(int item) {
      return versions[item];
    }

    List<Result> results(Map<Integer, ErrorBody> failed) {
      List<Result> results = new ArrayList<>();
      for (int i = 0; i < found.length; i++) {
        ErrorBody error = failed.get(i);
        results.add(
            error == null
                ? new Result.Read(Objects.requireNonNull(found[i]))
                : new Result.Failed(error));
      }
      return results;
    }
  }

  private record Read(GetResult result, Version version) {}

  private Read read(Wanted wanted) {
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

  private static Version version(String id, @Nullable DocumentState state, long applied) {
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

  /** Asks the copies for what is not asked yet. */
  void askAll(Collection<Confirmation> asked) {
    primary.show().accept(asked.stream().mapToLong(c -> c.version().seqNo()).max().orElse(-1));
    tracker.askAll();
  }

  /** The newest seq_no in the log. */
  CompletableFuture<Long> newest() {
    return primary.logEnd().newest();
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
            UNCONFIRMED_TYPE,
            "[%s] of %s is not known to be replicated: %s"
                .formatted(version.id(), primary.shard(), reason))
        .with("seq_no", version.seqNo());
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
   * Waits until the documents of these writes are not in state 2 or 3; all are asked for at once.
   *
   * @return the errors of writes that must not be executed, by position
   */
  public Map<Integer, ErrorBody> awaitBases(List<WriteItem> items, Duration timeout)
      throws InterruptedException {
    if (!records.hasUnreplicated()) {
      return Map.of();
    }
    Bases bases = new Bases(items);
    var _ = bases.begin();
    return bases.rounds.await(timeout);
  }

  /** The present versions of the documents of one write request. */
  public final class Bases {

    private final List<WriteItem> items;
    private final ConfirmationRounds rounds;

    public Bases(List<WriteItem> items) {
      this.items = items;
      this.rounds = new ConfirmationRounds(ConfirmedReads.this, this::take);
    }

    private @Nullable Version take(int item) {
      return items.get(item).autoId() ? null : unreplicated(items.get(item).id());
    }

    /** Completes with the errors of writes that must not be executed; never blocks. */
    public CompletableFuture<Map<Integer, ErrorBody>> begin() {
      return rounds.begin(items.size());
    }

    /** The writes whose documents are not confirmed yet fail. */
    public void outOfTime() {
      rounds.outOfTime();
    }
  }

  /** The present version of a document if it is in state 2 or 3. */
  private @Nullable Version unreplicated(String id) {
    long applied = primary.applied().current();
    Version version = version(id, primary.documents().state(id), applied);
    return switch (records.state(version)) {
      case REPLICATED, REPLICATING -> null;
      case RE_REPLICATING, UNREPLICATED -> version;
    };
  }
}
