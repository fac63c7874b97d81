package io.varve.shard.replicated;

import io.varve.host.reading.StrongReads;
import io.varve.rpc.ApiException;
import io.varve.rpc.DocumentsWire.Result;
import io.varve.rpc.DocumentsWire.Wanted;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.HoldsWire.Version;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The reads of the primary of a strongly consistent index.
 *
 * <p>A read takes the newest version, and returns it once every copy holds it. If a copy holds a
 * later version, the end of the log decides: either the primary catches up and the read starts
 * again, or the primary has a successor. A deleted or absent document is confirmed in the same way.
 * {@link ConfirmationRounds} does this for all documents of a request together.
 */
public final class ConfirmedReads implements StrongReads {

  /** Type of the error when the copies did not confirm a record in time. */
  public static final String UNCONFIRMED_TYPE = "record_unreplicated_exception";

  private final Confirmer confirmer;

  public ConfirmedReads(Confirmer confirmer) {
    this.confirmer = confirmer;
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
      this.rounds = new ConfirmationRounds(confirmer, this::take);
    }

    private Version take(int item) {
      Confirmer.Read read = confirmer.read(wanted.get(item));
      found[item] = read.result();
      versions[item] = read.version();
      return read.version();
    }

    /** Completes with the errors of documents, by position; never blocks. */
    public CompletableFuture<Map<Integer, ErrorBody>> begin() {
      return rounds.begin(wanted.size());
    }

    /** Fails the documents that are not confirmed yet. */
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

  @Override
  public boolean awaitHeldByAll(long seqNo, Duration timeout) throws InterruptedException {
    confirmer.tracker().askAll();
    return confirmer.records().heldByAll().await(seqNo, timeout);
  }

  @Override
  public long admit(String copyId, String incarnation) {
    return confirmer
        .tracker()
        .admit(new Member(copyId, incarnation))
        .orElseThrow(() ->
            new ApiException(
                503,
                "no_shard_available_action_exception",
                "the primary of " + confirmer.shard() + " does not know copy " + copyId + " yet"));
  }
}
