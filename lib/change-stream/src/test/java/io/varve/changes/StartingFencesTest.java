package io.varve.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.log.InMemoryMessageLog;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import io.varve.log.TopicSpec;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StartingFencesTest {

  private static final ChangeTopic TOPIC = new ChangeTopic("main", "u1");
  private static final byte[] BYTES = "{}".getBytes(StandardCharsets.UTF_8);

  private final InMemoryMessageLog log = new InMemoryMessageLog(Runnable::run, () -> 0);
  private final StartingFences starting = new StartingFences(() -> log);
  private PartitionLog operations;

  @BeforeEach
  void aLogWithTwoTermsAndALateWriter() throws Exception {
    log.createTopic(new TopicSpec(TOPIC.operations(), 1, 1, Map.of()));
    log.createTopic(new TopicSpec(TOPIC.manifests(), 1, 1, Map.of()));
    operations = log.open(TOPIC.operations(), 0);
    append(operations, RecordHeader.fence(1, "a"));
    append(operations, RecordHeader.data(1, 0, BYTES, BYTES));
    append(operations, RecordHeader.data(1, 1, BYTES, BYTES));
    append(operations, RecordHeader.fence(2, "b"));
    append(operations, RecordHeader.data(1, 2, BYTES, BYTES));
    append(operations, RecordHeader.data(2, 2, BYTES, BYTES));
    append(operations, RecordHeader.data(2, 3, BYTES, BYTES));
  }

  private static void append(PartitionLog partition, RawRecord record) throws Exception {
    CompletableFuture<Long> appended = new CompletableFuture<>();
    partition.append(
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
    var _ = appended.get(1, TimeUnit.MINUTES);
  }

  private void publish(long term, long generation, LogPosition at) throws Exception {
    Manifest manifest =
        new Manifest(
            new ShardId("u1", 0),
            "n",
            term,
            generation,
            at.nextOffset(),
            at.nextSeqNo(),
            at.fenceTerm(),
            at.nextSeqNo() - 1,
            List.of(),
            "",
            Map.of(),
            0);
    append(
        log.open(TOPIC.manifests(), 0),
        RawRecord.keyed(manifest.recordKey(), Json.write(manifest)));
  }

  @Test
  void theStateIsComputedFromTheBeginningOfTheLog() throws Exception {
    assertThat(starting.at(TOPIC, 0, 0)).isEqualTo(new LogPosition(0, 0, 0));
    assertThat(starting.at(TOPIC, 0, 3)).isEqualTo(new LogPosition(3, 2, 1));
    assertThat(starting.at(TOPIC, 0, 4)).isEqualTo(new LogPosition(4, 2, 2));
    assertThat(starting.at(TOPIC, 0, 7)).isEqualTo(new LogPosition(7, 4, 2));
  }

  @Test
  void theNewestManifestSparesReadingTheRecordsBeforeIt() throws Exception {
    publish(2, 4, new LogPosition(5, 2, 2));
    operations.truncateBefore(4);

    assertThat(starting.at(TOPIC, 0, 6)).isEqualTo(new LogPosition(6, 3, 2));
  }

  @Test
  void inATruncatedLogReadingStartsAtTheFirstKnownState() throws Exception {
    publish(1, 1, new LogPosition(2, 1, 1));
    publish(2, 4, new LogPosition(6, 3, 2));
    operations.truncateBefore(4);

    assertThat(starting.at(TOPIC, 0, 4)).isEqualTo(new LogPosition(6, 3, 2));
  }

  @Test
  void aManifestBehindTheOffsetIsNotUsedWhileTheLogHasItsBeginning() throws Exception {
    publish(1, 1, new LogPosition(2, 9, 7));
    publish(2, 4, new LogPosition(6, 3, 2));

    assertThat(starting.at(TOPIC, 0, 3)).isEqualTo(new LogPosition(3, 2, 1));
  }

  @Test
  void withoutAManifestATruncatedLogCannotBeJudged() throws Exception {
    operations.truncateBefore(4);

    assertThatThrownBy(() -> starting.at(TOPIC, 0, 4))
        .isInstanceOf(ChangeStreamException.Lost.class)
        .hasMessageContaining("begins at offset 4");
  }
}
