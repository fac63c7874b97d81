package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.FollowParameters;
import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests how operations that were read are split into requests. */
class WriteRequestsTest {

  private static FollowParameters limits(int operations, long bytes) {
    FollowParameters d = FollowParameters.DEFAULTS;
    return new FollowParameters(
        d.maxReadRequestOperationCount(),
        d.maxReadRequestSizeBytes(),
        d.maxOutstandingReadRequests(),
        operations,
        bytes,
        d.maxOutstandingWriteRequests(),
        d.maxWriteBufferCount(),
        d.maxWriteBufferSizeBytes(),
        d.maxRetryDelayMillis(),
        d.readPollTimeoutMillis());
  }

  private static List<StoredRecord> operations(int... bytes) {
    return IntStream.range(0, bytes.length)
        .mapToObj(i -> new StoredRecord(i, 0, RawRecord.keyed(new byte[0], new byte[bytes[i]])))
        .toList();
  }

  private static List<Integer> sizes(FollowParameters limits, int... bytes) {
    List<StoredRecord> operations = operations(bytes);
    List<List<StoredRecord>> requests = WriteRequests.of(operations, limits);
    assertThat(requests.stream().flatMap(List::stream)).containsExactlyElementsOf(operations);
    return requests.stream().map(List::size).toList();
  }

  @Test
  void aRequestHasAtMostAsManyOperationsAsAllowed() {
    assertThat(sizes(limits(2, 1_000), 1, 1, 1, 1, 1)).containsExactly(2, 2, 1);
  }

  @Test
  void aRequestHasAtMostAsManyBytesAsAllowed() {
    assertThat(sizes(limits(100, 10), 5, 5, 1, 9, 2)).containsExactly(2, 2, 1);
  }

  @Test
  void anOperationBeyondTheLimitIsSentAlone() {
    assertThat(sizes(limits(100, 1), 5, 7, 9)).containsExactly(1, 1, 1);
  }

  @Test
  void withoutALimitARequestStaysBelowWhatANodeAccepts() {
    int third = (int) (WriteRequests.MOST_BYTES / 3);
    assertThat(sizes(FollowParameters.DEFAULTS, third, third, third, third)).containsExactly(3, 1);
  }

  @Test
  void nothingIsSentForNothing() {
    assertThat(sizes(FollowParameters.DEFAULTS)).isEmpty();
  }
}
