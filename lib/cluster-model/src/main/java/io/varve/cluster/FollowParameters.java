package io.varve.cluster;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The limits on pulling by a follower index: the ten parameters of {@code PUT
 * /{index}/_ccr/follow}. Each limit applies to one shard.
 *
 * @param maxReadRequestOperationCount operations in one read of the leader's log
 * @param maxReadRequestSizeBytes bytes in one read of the leader's log
 * @param maxOutstandingReadRequests reads of the leader's log whose operations the follower does
 *     not hold yet
 * @param maxWriteRequestOperationCount operations in one request to the follower's primary
 * @param maxWriteRequestSizeBytes bytes in one request to the follower's primary
 * @param maxOutstandingWriteRequests concurrent requests to the follower's primary; it takes
 *     operations in order, so there is never more than one
 * @param maxWriteBufferCount operations that are read and not yet written, above which reads pause
 * @param maxWriteBufferSizeBytes bytes that are read and not yet written, above which reads pause
 * @param maxRetryDelayMillis longest wait before a failed request is repeated
 * @param readPollTimeoutMillis longest wait of a read for new operations
 */
public record FollowParameters(
    int maxReadRequestOperationCount,
    long maxReadRequestSizeBytes,
    int maxOutstandingReadRequests,
    int maxWriteRequestOperationCount,
    long maxWriteRequestSizeBytes,
    int maxOutstandingWriteRequests,
    int maxWriteBufferCount,
    long maxWriteBufferSizeBytes,
    long maxRetryDelayMillis,
    long readPollTimeoutMillis) {

  public static final FollowParameters DEFAULTS =
      new FollowParameters(
          5_120,
          32L << 20,
          12,
          5_120,
          Long.MAX_VALUE,
          9,
          Integer.MAX_VALUE,
          512L << 20,
          500,
          60_000);

  public FollowParameters {
    positive("max_read_request_operation_count", maxReadRequestOperationCount);
    positive("max_read_request_size", maxReadRequestSizeBytes);
    positive("max_outstanding_read_requests", maxOutstandingReadRequests);
    positive("max_write_request_operation_count", maxWriteRequestOperationCount);
    positive("max_write_request_size", maxWriteRequestSizeBytes);
    positive("max_outstanding_write_requests", maxOutstandingWriteRequests);
    positive("max_write_buffer_count", maxWriteBufferCount);
    positive("max_write_buffer_size", maxWriteBufferSizeBytes);
    positive("max_retry_delay", maxRetryDelayMillis);
    positive("read_poll_timeout", readPollTimeoutMillis);
  }

  private static void positive(String name, long value) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " must be larger than 0, was " + value);
    }
  }

  /** The parameters by name, in the form of the API: {@code "max_read_request_size": "32mb"}. */
  public Map<String, Object> shown() {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("max_read_request_operation_count", maxReadRequestOperationCount);
    shown.put("max_write_request_operation_count", maxWriteRequestOperationCount);
    shown.put("max_outstanding_read_requests", maxOutstandingReadRequests);
    shown.put("max_outstanding_write_requests", maxOutstandingWriteRequests);
    shown.put("max_read_request_size", size(maxReadRequestSizeBytes));
    shown.put("max_write_request_size", size(maxWriteRequestSizeBytes));
    shown.put("max_write_buffer_count", maxWriteBufferCount);
    shown.put("max_write_buffer_size", size(maxWriteBufferSizeBytes));
    shown.put("max_retry_delay", time(maxRetryDelayMillis));
    shown.put("read_poll_timeout", time(readPollTimeoutMillis));
    return shown;
  }

  /** With the largest unit of which it is a multiple. */
  private static String size(long bytes) {
    String[] units = {"b", "kb", "mb", "gb", "tb"};
    int unit = 0;
    long count = bytes;
    while (unit < units.length - 1 && count % 1024 == 0) {
      count /= 1024;
      unit++;
    }
    return count + units[unit];
  }

  /** With the largest unit of which it is a multiple. */
  private static String time(long millis) {
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds % 60 != 0) {
      return seconds + "s";
    }
    return seconds % 3_600 == 0 ? seconds / 3_600 + "h" : seconds / 60 + "m";
  }
}
