package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests whether a log has the first operations of its shard. */
class FirstOperationsTest {

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final InMemoryMessageLog logs = new InMemoryMessageLog(threads, () -> 0);
  private final PartitionLog log = logs.open("operations", 0);

  @AfterEach
  void close() {
    logs.close();
    threads.shutdownNow();
  }

  private void append(RawRecord record) throws Exception {
    var _ = Appends.await(log, record);
  }

  private static RawRecord operation(long term, long seqNo) {
    byte[] source = "{}".getBytes(StandardCharsets.UTF_8);
    return OperationCodec.encode(new Operation(term, seqNo, 1, 1, "d" + seqNo, null, source, null));
  }

  private boolean areIn() throws Exception {
    return FirstOperations.areIn(log, log.endOffset());
  }

  @Test
  void aLogWithFencesAloneLacksThem() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    append(RecordHeader.fence(2, "n2"));

    assertThat(areIn()).isFalse();
  }

  @Test
  void aLogThatContinuesSegmentsOfAnotherClusterLacksThem() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    append(operation(1, 40));
    append(operation(1, 41));

    assertThat(areIn()).isFalse();
  }

  @Test
  void anOperationOfAReplacedPrimaryIsNotOneOfThem() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    append(RecordHeader.fence(2, "n2"));
    append(operation(1, 0));

    assertThat(areIn()).isFalse();
  }

  @Test
  void theFirstOperationIsFoundBehindManyFences() throws Exception {
    for (long term = 1; term <= 200; term++) {
      append(RecordHeader.fence(term, "n1"));
    }
    append(operation(200, 0));

    assertThat(areIn()).isTrue();
  }

  @Test
  void operationsAtOrAfterTheEndDoNotCount() throws Exception {
    append(RecordHeader.fence(1, "n1"));
    append(operation(1, 0));

    assertThat(FirstOperations.areIn(log, 1)).isFalse();
    assertThat(areIn()).isTrue();
  }
}
