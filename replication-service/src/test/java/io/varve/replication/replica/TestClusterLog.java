package io.varve.replication.replica;

import io.varve.cluster.ClusterEvent;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;

/** The cluster log of term 1: a fence, then the events that tests append. */
final class TestClusterLog {
  private final PartitionLog partition;
  private long seqNo;

  TestClusterLog(PartitionLog partition) {
    this.partition = partition;
    append(partition, RecordHeader.fence(1, "leader"));
  }

  void append(ClusterEvent event) {
    append(
        partition,
        RecordHeader.data(
            1,
            seqNo++,
            event.entity().getBytes(StandardCharsets.UTF_8),
            Json.mapper().writerFor(ClusterEvent.class).writeValueAsBytes(event)));
  }

  static void append(PartitionLog partition, RawRecord record) {
    try {
      partition.append(
          record,
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {}

            @Override
            public void unknown(String reason) {
              throw new IllegalStateException(reason);
            }
          });
    } catch (LogException.Full e) {
      throw new IllegalStateException(e);
    }
  }
}
