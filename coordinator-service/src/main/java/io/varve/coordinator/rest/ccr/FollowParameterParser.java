package io.varve.coordinator.rest.ccr;

import io.varve.cluster.FollowParameters;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.text.ByteValues;
import io.varve.text.TimeValues;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link FollowParameters} from the body of a request; missing parameters get their defaults.
 * All values out of range are reported in one error, with Elasticsearch's texts.
 */
final class FollowParameterParser {

  /** The names of the parameters. */
  static final Set<String> NAMES = FollowParameters.DEFAULTS.shown().keySet();

  private static final long MOST_RETRY_DELAY_MILLIS = 5 * 60_000;

  private final Map<String, Object> body;
  private final List<String> problems = new ArrayList<>();

  private FollowParameterParser(Map<String, Object> body) {
    this.body = body;
  }

  /**
   * Null if the body has none of the parameters.
   *
   * @throws ApiException 400 for a malformed value, or one out of range
   */
  static @Nullable FollowParameters parse(Map<String, Object> body) {
    return body.keySet().stream().noneMatch(NAMES::contains)
        ? null
        : new FollowParameterParser(body).parsed();
  }

  private FollowParameters parsed() {
    FollowParameters otherwise = FollowParameters.DEFAULTS;
    int readOperations =
        count("max_read_request_operation_count", otherwise.maxReadRequestOperationCount());
    long readBytes = size("max_read_request_size", otherwise.maxReadRequestSizeBytes());
    int reads = count("max_outstanding_read_requests", otherwise.maxOutstandingReadRequests());
    int writeOperations =
        count("max_write_request_operation_count", otherwise.maxWriteRequestOperationCount());
    long writeBytes = size("max_write_request_size", otherwise.maxWriteRequestSizeBytes());
    int writes = count("max_outstanding_write_requests", otherwise.maxOutstandingWriteRequests());
    int buffered = count("max_write_buffer_count", otherwise.maxWriteBufferCount());
    long bufferBytes = size("max_write_buffer_size", otherwise.maxWriteBufferSizeBytes());
    long retryMillis = retryDelay(otherwise.maxRetryDelayMillis());
    long pollMillis =
        larger("read_poll_timeout", millis("read_poll_timeout", otherwise.readPollTimeoutMillis()));
    if (!problems.isEmpty()) {
      throw new ApiException(ErrorBodies.validation(problems));
    }
    return new FollowParameters(
        readOperations,
        readBytes,
        reads,
        writeOperations,
        writeBytes,
        writes,
        buffered,
        bufferBytes,
        retryMillis,
        pollMillis);
  }

  private int count(String name, int otherwise) {
    Object value = body.get(name);
    return value == null ? otherwise : (int) larger(name, whole(name, value));
  }

  private static long whole(String name, Object value) {
    try {
      return Integer.parseInt(String.valueOf(value));
    } catch (NumberFormatException e) {
      throw malformed(name);
    }
  }

  private long size(String name, long otherwise) {
    return switch (body.get(name)) {
      case null -> otherwise;
      case String text -> larger(name, ByteValues.parseBytes(name, text));
      default -> throw malformed(name);
    };
  }

  private long retryDelay(long otherwise) {
    String name = "max_retry_delay";
    long millis = millis(name, otherwise);
    if (millis <= 0) {
      problems.add("[" + name + "] must be positive but was [" + body.get(name) + "]");
    } else if (millis > MOST_RETRY_DELAY_MILLIS) {
      problems.add("[" + name + "] must be less than [5m] but was [" + body.get(name) + "]");
    }
    return millis;
  }

  private long millis(String name, long otherwise) {
    return switch (body.get(name)) {
      case null -> otherwise;
      case String text -> TimeValues.parseMillis(name, text);
      default -> throw malformed(name);
    };
  }

  private long larger(String name, long value) {
    if (value < 1) {
      problems.add(name + " must be larger than 0");
    }
    return value;
  }

  private static ApiException malformed(String name) {
    return new ApiException(
        ErrorBody.of(
            400,
            "x_content_parse_exception",
            "[follow_parameters] failed to parse field [" + name + "]"));
  }
}
