package io.varve.client;

import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.DocumentsWire.Wanted;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.GetResult;
import io.varve.rpc.ReadDemand;
import io.varve.rpc.Reencoded;
import io.varve.rpc.ShardLeases;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Asks one copy of a shard. All calls block, each for at most its timeout.
 *
 * <p>Calls that only read throw {@link UnreachableException} when the copy gave no answer, and
 * {@link io.varve.rpc.ApiException} when it answered with an error.
 */
public interface ShardClient {

  /** What became of a bulk that was sent to a primary. */
  sealed interface BulkAnswer {

    /** One result for each item, in order. */
    record Results(List<WriteResult> results) implements BulkAnswer {}

    /** Nothing was written, for certain; another attempt may succeed. */
    record NotWritten(ErrorBody error) implements BulkAnswer {}

    /** Nothing was written, and another attempt would fare no better. */
    record Refused(ErrorBody error) implements BulkAnswer {}

    /**
     * It was sent: each item may or may not be in the log.
     *
     * @param answered whether the primary said so itself; otherwise no answer came
     */
    record Unknown(String reason, boolean answered) implements BulkAnswer {}
  }

  /**
   * What a primary is to write.
   *
   * @param term the one under which it is known
   * @param task for which it does so, null for none
   * @param abort ends the call early, with an unknown outcome
   */
  record BulkCall(long term, List<WriteItem> items, @Nullable String task, Abort abort) {}

  BulkAnswer bulk(CopyAddress primary, BulkCall call, Duration timeout) throws InterruptedException;

  /**
   * Which documents of the shard are read.
   *
   * @param demand what the copy must show
   * @param abort ends the call early, as one that got no answer
   */
  record DocumentsCall(List<Wanted> documents, boolean realtime, ReadDemand demand, Abort abort) {}

  /** One result for each document, in order. */
  List<GetResult> get(CopyAddress copy, DocumentsCall call, Duration timeout)
      throws InterruptedException;

  /** The answer to a step of an encoded search; steps after the first need no request. */
  byte[] search(CopyAddress copy, SearchCall call, byte[] request, Duration timeout)
      throws InterruptedException;

  /** Makes everything visible that was acked before; the seq_no that is visible then. */
  long refresh(CopyAddress primary, Duration timeout) throws InterruptedException;

  /**
   * No write begins at the primary any more, since its index is blocked in that version of the
   * cluster's state; what it has is in the segment store. The seq_no up to which that is.
   */
  long seal(CopyAddress primary, long clusterVersion, Duration timeout) throws InterruptedException;

  /**
   * Waits until the copy shows {@code seqNo}.
   *
   * @param hurry whether the copy shows it as soon as it can, and not only when its interval is
   *     over
   */
  void awaitVisible(CopyAddress copy, long seqNo, boolean hurry, Duration timeout)
      throws InterruptedException;

  /** Commits what is applied. */
  void flush(CopyAddress copy, Duration timeout) throws InterruptedException;

  /** Merges as wished, by the settings of that version of the state, and shows the result. */
  void merge(CopyAddress copy, ForceMergeRequest wish, long clusterVersion, Duration timeout)
      throws InterruptedException;

  /** Writes one segment anew that is not encoded as the settings of that version say. */
  Reencoded reencode(
      CopyAddress copy, String task, long clusterVersion, long bytesPerSecond, Duration timeout)
      throws InterruptedException;

  /**
   * Forgets what was kept of former searches.
   *
   * @param which {@code query}, {@code request}, {@code fielddata}; {@code fields} says of which
   *     fields
   */
  void clearCaches(CopyAddress copy, Map<String, String> which, Duration timeout)
      throws InterruptedException;

  CopyStats stats(CopyAddress copy, Duration timeout) throws InterruptedException;

  CopySegments segments(CopyAddress copy, Duration timeout) throws InterruptedException;

  /** The leases on the operations of the copy's shard. */
  ShardLeases leases(CopyAddress copy, Duration timeout) throws InterruptedException;

  /** How the copy came to be; it need not be started. */
  CopyRecovery recovery(CopyAddress copy, Duration timeout) throws InterruptedException;

  /** No answer came from a copy. */
  final class UnreachableException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UnreachableException(String message, Throwable cause) {
      super(message, cause);
    }
  }
}
