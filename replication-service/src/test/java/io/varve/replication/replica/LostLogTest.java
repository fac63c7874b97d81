package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.engine.ClosedSegments;
import io.varve.events.RawRecord;
import io.varve.host.NodeWorld;
import io.varve.host.ShardCopy;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.UnreadableRecordException;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies on logs that lost applied operations, or contain unreadable records. */
class LostLogTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  @TempDir Path folder;
  private NodeWorld world;
  private final List<ShardCopy> open = new ArrayList<>();

  @BeforeEach
  void makeWorld() throws Exception {
    world = new NodeWorld(folder);
    world.createIndex(
        Map.of("index.refresh_interval", "-1"),
        "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}");
  }

  @AfterEach
  void endWorld() {
    open.forEach(ShardCopy::close);
    world.close();
  }

  private PrimaryCopy primary(String node, long term) {
    PrimaryCopy copy = new PrimaryCopy(world.copy(node), term, new WritePressure(1 << 20), null);
    open.add(copy);
    return copy;
  }

  private PrimaryCopy started(String node, long term) throws Exception {
    PrimaryCopy copy = primary(node, term);
    copy.start();
    return copy;
  }

  private DocumentReplicaCopy replica(String node) {
    DocumentReplicaCopy copy = new DocumentReplicaCopy(world.copy(node));
    open.add(copy);
    return copy;
  }

  private static void write(PrimaryCopy copy, int from, int to) throws Exception {
    byte[] body = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
    List<WriteItem> items =
        IntStream.range(from, to).mapToObj(i -> WriteItem.index("b" + i, body)).toList();
    assertThat(copy.write(copy.term(), items, LONG))
        .allSatisfy(result -> assertThat(result).isInstanceOf(WriteResult.Done.class));
  }

  private void foreign(byte[] header) throws Exception {
    CompletableFuture<Long> appended = new CompletableFuture<>();
    world
        .operations()
        .append(
            new RawRecord(null, null, header),
            new PartitionLog.AppendCallback() {
              @Override
              public void appended(long offset, long timestampMillis) {
                appended.complete(offset);
              }

              @Override
              public void unknown(String reason) {
                appended.completeExceptionally(new AssertionError(reason));
              }
            });
    appended.join();
  }

  @Test
  void aPrimaryOnALogThatWasCutAppendsNothing() throws Exception {
    PrimaryCopy first = started("n1", 1);
    write(first, 0, 10);
    first.close();
    world.cutOperations(6);

    assertThatThrownBy(primary("n1", 2)::start)
        .isInstanceOf(LogException.Lost.class)
        .hasMessageContaining("ends at offset 6");

    assertThat(world.operations().endOffset()).isEqualTo(6);
  }

  @Test
  void aPrimaryOnALogWhoseTailWasWrittenAnewAppendsNothing() throws Exception {
    PrimaryCopy first = started("n1", 1);
    write(first, 0, 10);
    first.close();
    world.cutOperations(6);
    // Another node, whose folder is empty, does not know of the lost operations.
    PrimaryCopy other = started("n2", 2);
    write(other, 20, 40);
    long end = world.operations().endOffset();

    assertThatThrownBy(primary("n1", 3)::start)
        .isInstanceOf(LogException.Lost.class)
        .hasMessageContaining("this copy has applied seq_no 9");

    assertThat(world.operations().endOffset()).isEqualTo(end);
  }

  @Test
  void anEmptyPrimaryDoesNotStartOnALogThatEndsBeforeWhatAManifestShows() throws Exception {
    PrimaryCopy first = started("n1", 1);
    write(first, 0, 10);
    first.refresh(LONG);
    first.close();
    world.cutOperations(6);

    assertThatThrownBy(primary("n2", 2)::start).isInstanceOf(LogException.Lost.class);

    assertThat(world.operations().endOffset()).isEqualTo(6);
  }

  @Test
  void aRunningPrimaryServesNothingOnceItLearnsThatTheLogWentBack() throws Exception {
    PrimaryCopy copy = started("n1", 1);
    write(copy, 0, 10);
    world.cutOperations(6);

    assertThat(copy.logEnd().newest().handle((seqNo, failure) -> failure).join()).isNotNull();

    await().atMost(LONG).until(() -> copy.state() == ShardCopy.State.FAILED);
    assertThat(copy.searchable()).isEmpty();
    assertThat(world.broken).singleElement().asString().contains("ends at offset 6");
  }

  @Test
  void aRunningPrimaryAcksNothingOnALogThatWentBack() throws Exception {
    PrimaryCopy copy = started("n1", 1);
    write(copy, 0, 10);
    world.cutOperations(6);

    byte[] body = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
    assertThat(copy.write(1, List.of(WriteItem.index("late", body)), LONG))
        .singleElement()
        .isInstanceOf(WriteResult.Failed.class);

    await().atMost(LONG).until(() -> !world.broken.isEmpty());
    assertThat(world.broken.getFirst()).contains("the log lost its tail");
  }

  @Test
  void aDocumentReplicaOnALogThatWasCutIsNotOpened() throws Exception {
    PrimaryCopy first = started("n1", 1);
    write(first, 0, 10);
    DocumentReplicaCopy replica = replica("n3");
    replica.start();
    replica.showNewest(LONG);
    replica.close();
    first.close();
    world.cutOperations(6);

    DocumentReplicaCopy again = replica("n3");
    assertThatThrownBy(again::start).isInstanceOf(LogException.Lost.class);
    assertThat(again.searchable()).isEmpty();
  }

  @Test
  void aDocumentReplicaDoesNotStartOnALogThatEndsBeforeWhatAManifestShows() throws Exception {
    PrimaryCopy first = started("n1", 1);
    write(first, 0, 4);
    DocumentReplicaCopy replica = replica("n3");
    replica.start();
    replica.close();
    write(first, 4, 10);
    first.refresh(LONG);
    first.close();
    world.cutOperations(6);

    assertThatThrownBy(replica("n3")::start)
        .as("its own commit is in the log")
        .isInstanceOf(LogException.Lost.class);
    assertThatThrownBy(replica("n4")::start).isInstanceOf(LogException.Lost.class);
  }

  @Test
  void aRunningDocumentReplicaFailsWhenTheLogGoesBackAndKeepsWhatItHas() throws Exception {
    PrimaryCopy first = started("n1", 1);
    write(first, 0, 4);
    DocumentReplicaCopy replica = replica("n3");
    replica.start();
    write(first, 4, 10);
    assertThat(replica.showNewest(LONG)).isTrue();

    world.cutOperations(6);

    await().atMost(LONG).until(() -> replica.state() == ShardCopy.State.FAILED);
    assertThat(replica.searchable()).isEmpty();
    replica.close();
    assertThat(ClosedSegments.checkpoint(world.copy("n3").folder().resolve("index")).nextSeqNo())
        .as("nobody else may have what the log lost")
        .isEqualTo(10);
  }

  @Test
  void aLogThatRetentionShortenedUpToThePositionIsNoLoss() throws Exception {
    PrimaryCopy first = started("n1", 1);
    write(first, 0, 10);
    first.close();
    world.operations().truncateBefore(world.operations().endOffset());

    PrimaryCopy second = started("n1", 2);

    assertThat(second.searchable().orElseThrow().get("b9", true).source()).isNotNull();
  }

  @Test
  void aPrimaryIsNotOpenedOnALogWithARecordThatCanNotBeRead() throws Exception {
    PrimaryCopy first = started("n1", 1);
    write(first, 0, 10);
    first.close();
    foreign(new byte[] {(byte) 0xF0});
    long end = world.operations().endOffset();

    assertThatThrownBy(primary("n1", 2)::start)
        .isInstanceOf(UnreadableRecordException.class)
        .hasMessageContaining("offset " + (end - 1))
        .hasMessageContaining(world.operations().topic());

    assertThat(world.operations().endOffset()).isEqualTo(end);
  }

  @Test
  void aDocumentReplicaServesOnBeforeARecordThatCanNotBeRead() throws Exception {
    PrimaryCopy first = started("n1", 1);
    write(first, 0, 10);
    DocumentReplicaCopy replica = replica("n3");
    replica.start();
    foreign(new byte[] {(byte) 0xF0});

    await().atMost(LONG).until(() -> replica.progress().failure() != null);

    assertThat(replica.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(replica.searchable().orElseThrow().get("b9", true).source()).isNotNull();
    assertThat(replica.progress().failure()).contains("offset 11 of topic");
    assertThat(replica.logEnd().newest().handle((seqNo, failure) -> failure).join()).isNotNull();
  }
}
