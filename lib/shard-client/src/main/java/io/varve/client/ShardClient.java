package io.varve.client;

import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.DocumentsWire;
import io.varve.rpc.DocumentsWire.Wanted;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.HoldsWire;
import io.varve.rpc.ProvenRecords;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.Reencoded;
import io.varve.rpc.RereplicationPage;
import io.varve.rpc.RereplicationPosition;
import io.varve.rpc.RereplicationWork;
import io.varve.rpc.ShardLeases;
import io.varve.rpc.ShardReplication;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls one copy of a shard. All calls block, each at most for its timeout.
 *
 * <p>Calls that only read throw {@link UnreachableException} when the copy did not answer, and
 * {@link io.varve.rpc.ApiException} when it answered with an error.
 */
public interface ShardClient {

  /** The outcome of a bulk that was sent to a primary. */
  sealed interface BulkAnswer {

    /** One result for each item, in order. */
    record Results(List<WriteResult> results) implements BulkAnswer {}

    /** Certainly nothing was written; another attempt may succeed. */
    record NotWritten(ErrorBody error) implements BulkAnswer {}

    /** Nothing was written, and another attempt would fail too. */
    record Refused(ErrorBody error) implements BulkAnswer {}

    /**
     * Each item may or may not be in the log.
     *
     * @param answered whether the primary reported this itself; otherwise no answer came
     */
    record Unknown(String reason, boolean answered) implements BulkAnswer {}
  }

  /**
   * A bulk for a primary.
   *
   * @param term of the primary
   * @param task parent of the write, null for none
   * @param abort ends the call early, with an unknown outcome
   */
  record BulkCall(long term, List<WriteItem> items, @Nullable String task, Abort abort) {}

  BulkAnswer bulk(CopyAddress primary, BulkCall call, Duration timeout) throws InterruptedException;

  /** A bulk for a primary, of several that are sent together. */
  record BulkPart(CopyAddress primary, BulkCall call) {}

  /** Receives the answers to bulks that were sent together. */
  @FunctionalInterface
  interface BulkAnswers {

    /**
     * Called once for each bulk, when its answer has come or its call has ended; in any order, by
     * any thread, concurrently. Must not block.
     *
     * @param part the position of the bulk
     */
    void answered(int part, BulkAnswer answer);
  }

  /**
   * Sends bulks for several primaries of one node in one request; aborting one of them does not
   * affect the others. Returns when each has been answered.
   */
  void bulks(List<BulkPart> parts, Duration timeout, BulkAnswers answers)
      throws InterruptedException;

  /**
   * The documents to read.
   *
   * @param demand what the copy must show
   * @param abort ends the call early, as if no answer came
   */
  record DocumentsCall(List<Wanted> documents, boolean realtime, ReadDemand demand, Abort abort) {}

  /** One result for each document, in order. */
  List<DocumentsWire.Result> get(CopyAddress copy, DocumentsCall call, Duration timeout)
      throws InterruptedException;

  /** The answer to one step of an encoded search; steps after the first need no request. */
  byte[] search(CopyAddress copy, SearchCall call, byte[] request, Duration timeout)
      throws InterruptedException;

  /** Refreshes, so that everything that was acked before is visible; returns the visible seq_no. */
  long refresh(CopyAddress primary, Duration timeout) throws InterruptedException;

  /**
   * Drains a primary whose index is blocked for writes in {@code clusterVersion} of the cluster
   * state, and uploads its segments; returns the seq_no up to which the segment store has
   * everything.
   */
  long seal(CopyAddress primary, long clusterVersion, Duration timeout) throws InterruptedException;

  /**
   * Waits until the copy shows {@code seqNo}.
   *
   * @param hurry refresh as soon as possible instead of at the refresh interval
   */
  void awaitVisible(CopyAddress copy, long seqNo, boolean hurry, Duration timeout)
      throws InterruptedException;

  /** Commits all applied operations. */
  void flush(CopyAddress copy, Duration timeout) throws InterruptedException;

  /**
   * Merges according to the settings in that version of the cluster state, and makes the result
   * visible.
   */
  void merge(CopyAddress copy, ForceMergeRequest request, long clusterVersion, Duration timeout)
      throws InterruptedException;

  /**
   * Rewrites one segment whose encoding differs from the settings in that version of the cluster
   * state.
   */
  Reencoded reencode(
      CopyAddress copy, String task, long clusterVersion, long bytesPerSecond, Duration timeout)
      throws InterruptedException;

  /**
   * Clears caches.
   *
   * @param which {@code query}, {@code request}, {@code fielddata}; {@code fields} lists the fields
   *     to clear
   */
  void clearCaches(CopyAddress copy, Map<String, String> which, Duration timeout)
      throws InterruptedException;

  CopyStats stats(CopyAddress copy, Duration timeout) throws InterruptedException;

  CopySegments segments(CopyAddress copy, Duration timeout) throws InterruptedException;

  /** The retention leases of the copy's shard. */
  ShardLeases leases(CopyAddress copy, Duration timeout) throws InterruptedException;

  /** What the primary of a strongly consistent index knows of its records. */
  ShardReplication replication(CopyAddress primary, Duration timeout) throws InterruptedException;

  /** The codes of the replication states of these versions, in order. */
  List<Integer> replicationStates(
      CopyAddress primary, List<HoldsWire.Version> versions, Duration timeout)
      throws InterruptedException;

  /**
   * One step of a re-replication job.
   *
   * @param step {@code begin}, {@code walk}, {@code checkpoint} or {@code end}
   * @param at where the last step ended
   */
  record RereplicateCall(
      String step, String job, RereplicationPosition at, RereplicationWork work) {}

  RereplicationPage rereplicate(CopyAddress primary, RereplicateCall call, Duration timeout)
      throws InterruptedException;

  /** Proves these versions for a re-replication job. */
  ProvenRecords prove(
      CopyAddress primary, String job, List<HoldsWire.Version> versions, Duration timeout)
      throws InterruptedException;

  /** The recovery of the copy, which need not be started. */
  CopyRecovery recovery(CopyAddress copy, Duration timeout) throws InterruptedException;

  /** A copy did not answer. */
  final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreachableException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
