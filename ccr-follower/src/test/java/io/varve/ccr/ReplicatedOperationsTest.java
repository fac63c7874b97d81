package io.varve.ccr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.ccr.ArrivedBatches.Arrived;
import io.varve.events.Json;
import io.varve.events.ManifestRecord;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ReplicatedSeqNo;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.log.Appends;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.PartitionLog;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplicatedOperationsTest {

  private static final ShardId SHARD = new ShardId("leader", 0);

  private final ReplicatedOperations replicated = new ReplicatedOperations();

  private void published(long term, long seqNo) {
    replicated.seen(new ManifestRecord.Replicated(new ReplicatedSeqNo(SHARD, term, seqNo)));
  }

  /** Operations at offsets that are 10 above their seq_nos. */
  private static Arrived.Records records(long from, long to) {
    List<StoredRecord> batch =
        LongStream.rangeClosed(from, to)
            .mapToObj(seqNo ->
                new StoredRecord(
                    seqNo + 10, 0, RecordHeader.data(1, seqNo, new byte[] {1}, new byte[0])))
            .toList();
    return new Arrived.Records(batch, to + 11, true);
  }

  private static String shown(@Nullable Arrived arrived) {
    return arrived instanceof Arrived.Records(var batch, long nextOffset, boolean interrupted)
        ? "%s, next %d%s"
            .formatted(
                batch.stream().map(StoredRecord::offset).toList(),
                nextOffset,
                interrupted ? ", interrupted" : "")
        : String.valueOf(arrived);
  }

  @Test
  void onlyWhatIsReplicatedPassesAndTheRestLater() {
    published(1, 2);
    assertThat(shown(replicated.offer(records(0, 2))))
        .isEqualTo("[10, 11, 12], next 13, interrupted");
    assertThat(replicated.offer(records(3, 6))).isNull();
    assertThat(replicated.firstHeld()).isEqualTo(3);

    published(1, 4);
    assertThat(shown(replicated.pass())).isEqualTo("[13, 14], next 15, interrupted");
    assertThat(replicated.pass()).isNull();
    assertThat(replicated.holds()).isTrue();

    published(1, 9);
    assertThat(shown(replicated.pass())).isEqualTo("[15, 16], next 17");
    assertThat(replicated.holds()).isFalse();
  }

  @Test
  void batchesWithoutOperationsAndTheEndOfTheLogPass() {
    Arrived fences = new Arrived.Records(List.of(), 5, false);
    assertThat(replicated.offer(fences)).isEqualTo(fences);
    Arrived lost = new Arrived.Lost("truncated");
    assertThat(replicated.offer(lost)).isEqualTo(lost);
  }

  @Test
  void aLateRecordOfAFormerPrimaryChangesNothing() {
    published(2, 7);
    published(1, 3);
    assertThat(replicated.upTo().current()).isEqualTo(7);
  }

  @Test
  void theManifestsTopicTellsWhatIsReplicatedFromItsStartOn() throws Exception {
    InMemoryMessageLog logs = new InMemoryMessageLog(Runnable::run, () -> 0);
    PartitionLog manifests = logs.open("manifests", 0);
    PartitionLog operations = logs.open("ops", 0);
    append(manifests, new ReplicatedSeqNo(SHARD, 2, 7));
    append(manifests, new ReplicatedSeqNo(SHARD, 1, 3));
    Appends.await(operations, RecordHeader.data(2, 8, new byte[] {1}, new byte[0]));
    Appends.await(operations, RecordHeader.fence(3, "n1"));

    assertThatThrownBy(
            () -> ReplicatedOperations.awaitEnd(manifests, operations, Duration.ofMillis(1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("seq_no 7, not yet 8");

    replicated.follow(manifests);
    assertThat(replicated.upTo().current()).isEqualTo(7);
    append(manifests, new ReplicatedSeqNo(SHARD, 2, 8));
    assertThat(replicated.upTo().await(8, Duration.ofMinutes(1))).isTrue();
    ReplicatedOperations.awaitEnd(manifests, operations, Duration.ofMinutes(1));
    replicated.close();
  }

  private static void append(PartitionLog manifests, ReplicatedSeqNo record) throws Exception {
    Appends.await(manifests, RawRecord.keyed(record.recordKey(), Json.write(record)));
  }
}
