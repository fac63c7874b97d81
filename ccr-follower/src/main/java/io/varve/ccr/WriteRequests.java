package io.varve.ccr;

import io.varve.cluster.FollowParameters;
import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Splits operations that were read into requests to the follower's primary, in order.
 *
 * <pre>
 *   operations of a request <= max_write_request_operation_count
 *   bytes of a request      <= min(max_write_request_size, {@value #MOST_BYTES})
 * </pre>
 *
 * An operation that is larger than the limit is a request of its own.
 */
final class WriteRequests {

  /** Keeps the body of a request far below the size that a node accepts. */
  static final long MOST_BYTES = 8L << 20;

  private WriteRequests() {}

  private static long mostBytes(FollowParameters limits) {
    return Math.min(MOST_BYTES, limits.maxWriteRequestSizeBytes());
  }

  /** Whether one request can hold what was read. */
  static boolean fits(ArrivedBatches.Buffered read, FollowParameters limits) {
    return read.operations() <= limits.maxWriteRequestOperationCount()
        && read.bytes() <= mostBytes(limits);
  }

  static List<List<StoredRecord>> of(List<StoredRecord> operations, FollowParameters limits) {
    long mostBytes = mostBytes(limits);
    List<List<StoredRecord>> requests = new ArrayList<>();
    List<StoredRecord> request = new ArrayList<>();
    long bytes = 0;
    for (StoredRecord operation : operations) {
      long more = operation.record().sizeBytes();
      boolean full =
          request.size() == limits.maxWriteRequestOperationCount() || bytes + more > mostBytes;
      if (full && !request.isEmpty()) {
        requests.add(List.copyOf(request));
        request.clear();
        bytes = 0;
      }
      request.add(operation);
      bytes += more;
    }
    if (!request.isEmpty()) {
      requests.add(List.copyOf(request));
    }
    return requests;
  }
}
