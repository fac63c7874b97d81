package io.varve.coordinator.rest.shard;

import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.GetResult;
import io.varve.rpc.MergeWish;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Set;

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

    /** It was sent and no answer came: each item may or may not be in the log. */
    record Unknown(String reason) implements BulkAnswer {}
  }

  BulkAnswer bulk(CopyAddress primary, long term, List<WriteItem> items, Duration timeout)
      throws InterruptedException;

  /** Which document is read, and what of it beside its source. */
  record DocumentCall(String id, boolean realtime, Set<String> storedFields) {}

  GetResult get(CopyAddress copy, DocumentCall call, Duration timeout) throws InterruptedException;

  /** The answer to a step of an encoded search; steps after the first need no request. */
  byte[] search(CopyAddress copy, SearchCall call, byte[] request, Duration timeout)
      throws InterruptedException;

  /** Makes everything visible that was acked before; the seq_no that is visible then. */
  long refresh(CopyAddress primary, Duration timeout) throws InterruptedException;

  /** Waits until the copy shows {@code seqNo}. */
  void awaitVisible(CopyAddress copy, long seqNo, Duration timeout) throws InterruptedException;

  /** Commits what is applied. */
  void flush(CopyAddress copy, Duration timeout) throws InterruptedException;

  /** Merges as wished, and shows the result. */
  void merge(CopyAddress copy, MergeWish wish, Duration timeout) throws InterruptedException;

  /** Forgets what was kept of former searches. */
  void clearCaches(CopyAddress copy, Duration timeout) throws InterruptedException;

  CopyStats stats(CopyAddress copy, Duration timeout) throws InterruptedException;

  CopySegments segments(CopyAddress copy, Duration timeout) throws InterruptedException;

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
