package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterEvent;
import io.varve.host.AppendFaults.Fate;
import io.varve.host.NodeWorld;
import io.varve.host.ShardCopy;
import io.varve.rpc.ApiException;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The requests that a primary refuses, and its answers while its log or its gate is not ready. */
class PrimaryCopyRefusalsTest extends PrimaryCopyWorld {
  @Test
  void failsToStartIfItsTermWasUsed() throws Exception {
    createBooks();
    started("n1", 4);

    assertThatThrownBy(() -> started("n2", 4))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("stale_primary_exception");
  }

  @Test
  void refusesAnotherTerm() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 2);

    assertThatThrownBy(() -> copy.write(1, books(1), LONG))
        .hasMessageContaining("stale_primary_exception");
    assertThat(world.operations().endOffset()).isEqualTo(1);
  }

  @Test
  void answersInTimeIfTheLogDoesNotAnswer() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.appends.ofOperations = Fate.UNANSWERED;

    WriteResult result = copy.write(1, books(1), Duration.ofMillis(200)).getFirst();

    assertThat(status(result)).isEqualTo(503);
    assertThat(((WriteResult.Failed) result).error().type()).isEqualTo(WriteResult.UNKNOWN_OUTCOME);
    assertThat(copy.searchable().orElseThrow().stats().maxSeqNo()).isEqualTo(-1);
  }

  @Test
  void closesItsGateWhenTheOutcomeOfAnAppendIsUnknown() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.appends.ofOperations = Fate.LOST;

    assertThat(status(copy.write(1, books(1), LONG).getFirst())).isEqualTo(503);

    world.appends.ofOperations = Fate.ACCEPTED;
    await().atMost(LONG).until(() -> copy.state() == ShardCopy.State.GATE_CLOSED);
    assertThatThrownBy(() -> copy.write(1, books(1), LONG))
        .hasMessageContaining("stale_primary_exception");
  }

  @Test
  void rejectsWritesBeyondTheLimitsOfTheLogOrTheNode() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.appends.ofOperations = Fate.REFUSED;
    assertThat(copy.write(1, books(2), LONG)).extracting(PrimaryCopyTest::status).containsOnly(429);

    world.appends.ofOperations = Fate.UNANSWERED;
    copy.write(1, List.of(item(WriteItem.Kind.INDEX, "big", note(700_000))), Duration.ofMillis(50));
    assertThatThrownBy(() ->
            copy.write(
                1,
                List.of(item(WriteItem.Kind.INDEX, "more", note(700_000))),
                Duration.ofMillis(50)))
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.error().status()).isEqualTo(429));
  }

  @Test
  void refusesOneRecordThatIsTooLargeAndTakesTheOthers() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    List<WriteResult> results =
        copy.write(
            1,
            List.of(
                book("a", "1"), item(WriteItem.Kind.INDEX, "large", note(1 << 20)), book("c", "3")),
            LONG);

    assertThat(done(results.get(0)).seqNo()).isEqualTo(0);
    assertThat(status(results.get(1))).isEqualTo(413);
    assertThat(done(results.get(2)).seqNo()).isEqualTo(1);
  }

  @Test
  void aWriteLeavesRoomInItsRecordForTheOriginThatAFollowerAdds() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    int limitBytes = world.operations().maxRecordBytes();

    List<WriteResult> results =
        copy.write(
            1,
            List.of(
                item(WriteItem.Kind.INDEX, "a", note(limitBytes - 50)),
                item(WriteItem.Kind.INDEX, "b", note(limitBytes - 200))),
            LONG);

    assertThat(status(results.get(0))).isEqualTo(413);
    assertThat(done(results.get(1)).seqNo()).isZero();
  }

  @Test
  void failsABadDocumentAloneAndNeverLogsIt() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);

    List<WriteResult> results =
        copy.write(
            1, List.of(item(WriteItem.Kind.INDEX, "bad", "{\"title\":"), book("good", "1")), LONG);

    assertThat(status(results.get(0))).isEqualTo(400);
    assertThat(done(results.get(1)).seqNo()).isEqualTo(0);
  }

  @Test
  void aWriteBehindAnotherFenceIsRejectedAndMayBeRetried() throws Exception {
    createBooks();
    PrimaryCopy before = started("n1", 1);
    PrimaryCopy next = started("n2", 2);

    List<WriteResult> results = before.write(1, books(20), LONG);

    assertThat(results).allMatch(WriteResult::mayBeSentAgain);
    assertThat(next.write(2, books(20), LONG)).extracting(r -> done(r).version()).containsOnly(1L);
    assertThatThrownBy(() -> before.refresh(LONG))
        .as("others may have written since")
        .isInstanceOf(ApiException.class);
  }

  @Test
  void anEarlyWriteWaitsForTheGate() throws Exception {
    createBooks();
    PrimaryCopy copy = new PrimaryCopy(world.copy("n1"), 1, new WritePressure(1 << 20), null);
    open.add(copy);
    CompletableFuture<List<WriteResult>> early =
        CompletableFuture.supplyAsync(() -> {
          try {
            return copy.write(1, books(1), LONG);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });

    copy.start();

    assertThat(done(early.get(60, TimeUnit.SECONDS).getFirst()).seqNo()).isZero();
  }

  @Test
  void aBlockedIndexRejectsWritesAndShowsAllAcceptedOnes() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    copy.write(1, books(20), LONG);
    long version =
        world.happened(
            new ClusterEvent.IndexSettingsChanged(
                NodeWorld.INDEX_UUID, 2, Map.of("index.blocks.search_only", "true")));

    Refreshed shown = copy.seal(version, LONG);

    assertThat(shown.visibleSeqNo()).isEqualTo(19);
    assertThatThrownBy(() -> copy.write(1, books(1), LONG))
        .isInstanceOfSatisfying(
            ApiException.class,
            refused -> {
              assertThat(refused.error().status()).isEqualTo(403);
              assertThat(refused.getMessage()).contains("index scaled down");
            });
  }

  @Test
  void aWriteThatHadBegunEndsBeforeThePrimaryIsSealed() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.appends.ofOperations = Fate.UNANSWERED;
    CompletableFuture<List<WriteResult>> write =
        CompletableFuture.supplyAsync(() -> {
          try {
            return copy.write(1, books(1), LONG);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    await()
        .atMost(LONG)
        .until(() -> copy.progress().appliedSeqNo() == -1 && world.appends.unanswered() > 0);
    long version =
        world.happened(
            new ClusterEvent.IndexSettingsChanged(
                NodeWorld.INDEX_UUID, 2, Map.of("index.blocks.search_only", "true")));

    assertThatThrownBy(() -> copy.seal(version, Duration.ofMillis(100)))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("writes in flight did not end");
    world.appends.endUnanswered();
    write.get(60, TimeUnit.SECONDS);
  }

  @Test
  void aPrimaryUnawareOfItsSuccessorRefusesToRefresh() throws Exception {
    createBooks();
    PrimaryCopy zombie = started("n1", 1);
    PrimaryCopy successor = started("n2", 2);
    assertThat(zombie.refresh(LONG).visibleSeqNo()).as("nothing was written yet").isEqualTo(-1);
    successor.write(2, books(1), LONG);

    assertThatThrownBy(() -> zombie.refresh(LONG))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining(WriteResult.STALE_PRIMARY);

    assertThat(successor.refresh(LONG).visibleSeqNo()).isZero();
  }

  private static WriteItem versioned(String id, long version) {
    return book(id, "v" + version).versioned(WriteItem.VersionType.EXTERNAL, version);
  }

  @Test
  void aConflictWithAWriteInFlightIsReportedOnceThatIsAccepted() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.appends.ofOperations = Fate.UNANSWERED;
    copy.write(1, List.of(versioned("a", 5)), Duration.ofMillis(50));

    WriteResult again = copy.write(1, List.of(versioned("a", 5)), Duration.ofMillis(50)).getFirst();

    assertThat(status(again)).as("nobody knows whether version 5 is there").isEqualTo(503);
  }

  @Test
  void aConflictWithARejectedWriteMayBeRetried() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.appends.ofOperations = Fate.UNANSWERED;
    copy.write(1, List.of(versioned("a", 5)), Duration.ofMillis(50));
    List<WriteItem> conflicting =
        List.of(versioned("a", 5), item(WriteItem.Kind.CREATE, "a", "{}"), absent());
    CompletableFuture<List<WriteResult>> again = new CompletableFuture<>();
    Thread writing =
        Thread.ofPlatform()
            .start(() -> {
              try {
                again.complete(copy.write(1, conflicting, LONG));
              } catch (InterruptedException | RuntimeException e) {
                again.completeExceptionally(e);
              }
            });
    await().atMost(LONG).until(() -> writing.getState() == Thread.State.TIMED_WAITING);
    assertThat(again).isNotDone();

    copy.close();

    assertThat(again.get(60, TimeUnit.SECONDS))
        .allSatisfy(result -> assertThat(WriteResult.mayBeSentAgain(result)).isTrue());
  }

  private static WriteItem absent() {
    return item(WriteItem.Kind.UPDATE, "absent", "{\"doc\":{\"title\":\"x\"}}");
  }
}
