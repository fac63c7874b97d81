package io.varve.changes;

import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.MessageLog;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Writes an index's operations as its primaries do. */
final class OperationsTopic {

  final ChangeTopic topic;
  private final MessageLog log;

  OperationsTopic(MessageLog log, String indexUuid, int shards) throws Exception {
    this.log = log;
    this.topic = new ChangeTopic("test", indexUuid);
    log.createTopic(new TopicSpec(topic.operations(), shards, 1, Map.of()));
    log.createTopic(new TopicSpec(topic.manifests(), shards, 1, Map.of()));
  }

  /** The id of an operation is its seq_no, and its source names its term. */
  long operation(int shard, long term, long seqNo) throws Exception {
    byte[] source = ("{\"term\":" + term + "}").getBytes(StandardCharsets.UTF_8);
    return append(
        shard,
        OperationCodec.encode(
            new Operation(term, seqNo, 1, 0, Long.toString(seqNo), null, source, null)));
  }

  long delete(int shard, long term, long seqNo) throws Exception {
    return append(
        shard,
        OperationCodec.encode(
            new Operation(term, seqNo, 2, 0, Long.toString(seqNo), "r", null, null)));
  }

  long fence(int shard, long term) throws Exception {
    return append(shard, RecordHeader.fence(term, "node-" + term));
  }

  long append(int shard, RawRecord record) throws Exception {
    CompletableFuture<Long> appended = new CompletableFuture<>();
    log.open(topic.operations(), shard)
        .append(
            record,
            new PartitionLog.AppendCallback() {
              @Override
              public void appended(long offset, long timestampMillis) {
                appended.complete(offset);
              }

              @Override
              public void unknown(String reason) {
                appended.completeExceptionally(new IllegalStateException(reason));
              }
            });
    return appended.get(1, TimeUnit.MINUTES);
  }

  long endOffset(int shard) throws Exception {
    return log.open(topic.operations(), shard).endOffset();
  }
}
