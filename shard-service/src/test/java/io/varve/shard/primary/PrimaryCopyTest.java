package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.IndexMetadata;
import io.varve.events.Operation;
import io.varve.events.SnapshotId;
import io.varve.host.NodeWorld;
import io.varve.host.NodeWorld.Weather;
import io.varve.host.ShardCopy;
import io.varve.host.SnapshotSource;
import io.varve.rpc.ApiException;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrimaryCopyTest {

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String MAPPING =
      "{\"properties\":{\"title\":{\"type\":\"keyword\"},\"note\":{\"type\":\"text\"}}}";

  @TempDir Path folder;
  private NodeWorld world;
  private final List<PrimaryCopy> open = new ArrayList<>();

  @BeforeEach
  void makeWorld() throws Exception {
    world = new NodeWorld(folder);
  }

  @AfterEach
  void endWorld() {
    world.endSilence();
    open.forEach(PrimaryCopy::close);
    world.close();
  }

  private PrimaryCopy started(String node, long term) throws Exception {
    PrimaryCopy copy = new PrimaryCopy(world.copy(node), term, new WritePressure(1 << 20), null);
    open.add(copy);
    copy.start();
    return copy;
  }

  private void createBooks() {
    world.createIndex(Map.of("index.refresh_interval", "-1"), MAPPING);
  }

  private static WriteItem item(WriteItem.Kind kind, String id, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return WriteItem.of(kind, id, bytes, 0, bytes.length);
  }

  private static WriteItem book(String id, String title) {
    return item(WriteItem.Kind.INDEX, id, "{\"title\":\"" + title + "\"}");
  }

  private static String note(int length) {
    return "{\"note\":\"" + "x".repeat(length) + "\"}";
  }

  private static List<WriteItem> books(int count) {
    return IntStream.range(0, count).mapToObj(i -> book("b" + i, "t" + i)).toList();
  }

  private static String source(PrimaryCopy copy, String id) {
    byte[] source = copy.searchable().orElseThrow().get(id, true).source();
    return source == null ? "none" : new String(source, StandardCharsets.UTF_8);
  }

  private static WriteResult.Done done(WriteResult result) {
    assertThat(result).isInstanceOf(WriteResult.Done.class);
    return (WriteResult.Done) result;
  }

  private static int status(WriteResult result) {
    assertThat(result).isInstanceOf(WriteResult.Failed.class);
    return ((WriteResult.Failed) result).error().status();
  }

  @Test
  void acksWritesInOrderWithDenseNumbers() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);

    List<WriteResult> results = copy.write(1, books(200), LONG);

    assertThat(results)
        .extracting(result -> done(result).seqNo())
        .isEqualTo(IntStream.range(0, 200).mapToObj(i -> (long) i).toList());
    assertThat(results).allSatisfy(result -> assertThat(done(result).status()).isEqualTo(201));
    assertThat(source(copy, "b7")).isEqualTo("{\"title\":\"t7\"}");
  }

  @Test
  void keepsTheOrderOfOneIdWithinABulk() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);

    List<WriteResult> results =
        copy.write(
            1,
            List.of(
                book("a", "first"),
                item(WriteItem.Kind.CREATE, "a", "{\"title\":\"second\"}"),
                item(WriteItem.Kind.UPDATE, "a", "{\"doc\":{\"title\":\"third\"}}"),
                item(WriteItem.Kind.UPDATE, "a", "{\"doc\":{\"title\":\"third\"}}"),
                item(WriteItem.Kind.DELETE, "a", ""),
                item(WriteItem.Kind.DELETE, "a", ""),
                book("a", "fourth")),
            LONG);

    assertThat(done(results.get(0)).result()).isEqualTo("created");
    assertThat(status(results.get(1))).isEqualTo(409);
    assertThat(done(results.get(2)).result()).isEqualTo("updated");
    assertThat(done(results.get(3)).result()).isEqualTo("noop");
    assertThat(done(results.get(4)).result()).isEqualTo("deleted");
    assertThat(done(results.get(5)).result()).isEqualTo("not_found");
    assertThat(done(results.get(6)).result()).isEqualTo("created");
    assertThat(source(copy, "a")).isEqualTo("{\"title\":\"fourth\"}");
  }

  @Test
  void showsAfterARefreshWhatWasAckedAndPublishesIt() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    long published = world.manifests().endOffset();
    assertThat(published).isEqualTo(1);
    copy.write(1, books(10), LONG);
    assertThat(copy.visible().current()).isEqualTo(-1);

    Refreshed shown = copy.refresh(LONG);

    assertThat(shown.visibleSeqNo()).isEqualTo(9);
    assertThat(copy.visible().current()).isEqualTo(9);
    assertThat(world.manifests().endOffset()).isEqualTo(2);
    SnapshotId id = new SnapshotId(shown.term(), shown.generation());
    assertThat(copy.snapshots().orElseThrow().lease(id, "r1", 0))
        .isInstanceOf(SnapshotSource.Lease.Held.class);
    assertThat(copy.refresh(LONG)).isEqualTo(shown);
    assertThat(world.manifests().endOffset()).isEqualTo(2);
  }

  @Test
  void aManifestThatTheLogLostIsPublishedByTheNextRefreshThoughNothingWasWrittenSince()
      throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    copy.write(1, books(10), LONG);
    world.manifestWeather = Weather.LOST;
    assertThatThrownBy(() -> copy.refresh(LONG)).isInstanceOf(ApiException.class);
    assertThat(world.manifests().endOffset()).isEqualTo(1);
    assertThat(copy.visible().current()).isEqualTo(-1);
    world.manifestWeather = Weather.FINE;

    assertThat(copy.refresh(LONG).visibleSeqNo()).isEqualTo(9);

    assertThat(world.manifests().endOffset()).isEqualTo(2);
  }

  @Test
  void aManifestOfMergedSegmentsThatTheLogLostIsPublishedWithoutANewOperation() throws Exception {
    world.createIndex(Map.of("index.refresh_interval", "50ms"), MAPPING);
    PrimaryCopy copy = started("n1", 1);
    for (WriteItem book : books(3)) {
      copy.write(1, List.of(book), LONG);
      copy.refresh(LONG);
    }
    world.manifestWeather = Weather.LOST;
    assertThatThrownBy(() -> copy.forceMerge(new ForceMergeRequest(1, false, false)))
        .hasRootCauseInstanceOf(ApiException.class);
    long published = world.manifests().endOffset();
    world.manifestWeather = Weather.FINE;

    await().atMost(LONG).until(() -> world.manifests().endOffset() > published);
  }

  @Test
  void refreshesByItselfAtTheIntervalOfTheIndex() throws Exception {
    world.createIndex(Map.of("index.refresh_interval", "50ms"), MAPPING);
    PrimaryCopy copy = started("n1", 1);
    copy.write(1, books(3), LONG);

    await().atMost(LONG).until(() -> copy.visible().current() == 2);
  }

  @Test
  void hasEverythingAgainAfterARestart() throws Exception {
    createBooks();
    started("n1", 1).write(1, books(50), LONG);
    open.getFirst().close();

    PrimaryCopy again = started("n1", 2);

    assertThat(source(again, "b49")).isEqualTo("{\"title\":\"t49\"}");
    assertThat(done(again.write(2, List.of(book("b0", "new")), LONG).getFirst()))
        .isEqualTo(new WriteResult.Done("updated", 50, 2, 2));
    assertThat(again.visible().current()).isEqualTo(49);
  }

  @Test
  void isRebuiltFromTheLogAlone() throws Exception {
    createBooks();
    PrimaryCopy first = started("n1", 1);
    first.write(1, books(3_000), LONG);
    first.write(1, List.of(item(WriteItem.Kind.DELETE, "b1", ""), book("b2", "x")), LONG);

    PrimaryCopy second = started("n2", 2);

    assertThat(second.stats().docs()).isEqualTo(2_999);
    assertThat(source(second, "b1")).isEqualTo("none");
    assertThat(source(second, "b2")).isEqualTo("{\"title\":\"x\"}");
    assertThat(second.progress().appliedSeqNo()).isEqualTo(3_001);
  }

  @Test
  void isFencedByAHigherTermAndHoldsNothingThatWasNotAccepted() throws Exception {
    createBooks();
    PrimaryCopy first = started("n1", 1);
    first.write(1, List.of(book("a", "old")), LONG);
    PrimaryCopy second = started("n2", 2);

    WriteResult late = first.write(1, List.of(book("a", "zombie")), LONG).getFirst();

    assertThat(status(late)).isEqualTo(409);
    await().atMost(LONG).until(() -> world.broken.size() == 1);
    assertThat(first.state()).isEqualTo(ShardCopy.State.GATE_CLOSED);
    assertThatThrownBy(() -> first.write(1, List.of(book("a", "again")), LONG))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("stale_primary_exception");
    first.close();
    assertThat(source(second, "a")).isEqualTo("{\"title\":\"old\"}");
    assertThat(done(second.write(2, List.of(book("a", "new")), LONG).getFirst()).seqNo())
        .isEqualTo(1);
    PrimaryCopy third = started("n1", 3);
    assertThat(source(third, "a")).isEqualTo("{\"title\":\"new\"}");
  }

  @Test
  void losesItsStartWhenItsTermWasUsed() throws Exception {
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
  void answersInTimeWhenTheLogDoesNot() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.weather = Weather.SILENT;

    WriteResult result = copy.write(1, books(1), Duration.ofMillis(200)).getFirst();

    assertThat(status(result)).isEqualTo(503);
    assertThat(((WriteResult.Failed) result).error().type()).isEqualTo(WriteResult.UNKNOWN_OUTCOME);
    assertThat(copy.searchable().orElseThrow().stats().maxSeqNo()).isEqualTo(-1);
  }

  @Test
  void closesItsGateWhenTheFateOfAnAppendIsUnknown() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.weather = Weather.LOST;

    assertThat(status(copy.write(1, books(1), LONG).getFirst())).isEqualTo(503);

    world.weather = Weather.FINE;
    await().atMost(LONG).until(() -> copy.state() == ShardCopy.State.GATE_CLOSED);
    assertThatThrownBy(() -> copy.write(1, books(1), LONG))
        .hasMessageContaining("stale_primary_exception");
  }

  @Test
  void refusesWhatTheLogOrTheNodeHasNoRoomFor() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.weather = Weather.FULL;
    assertThat(copy.write(1, books(2), LONG)).extracting(PrimaryCopyTest::status).containsOnly(429);

    world.weather = Weather.SILENT;
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
  void asksForNewFieldsBeforeItAppendsTheDocumentThatBringsThem() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.leader.mappingToGrant =
        "{\"properties\":{\"title\":{\"type\":\"keyword\"},\"year\":{\"type\":\"long\"}}}";

    List<WriteResult> results =
        copy.write(
            1,
            List.of(
                book("a", "1"),
                item(WriteItem.Kind.INDEX, "b", "{\"title\":\"2\",\"year\":1999}"),
                item(WriteItem.Kind.UPDATE, "a", "{\"doc\":{\"year\":2001}}")),
            LONG);

    assertThat(results).extracting(result -> done(result).seqNo()).containsExactly(0L, 1L, 2L);
    assertThat(world.leader.newFields).hasSize(1);
    assertThat(world.leader.newFields.getFirst().properties()).contains("year");
    assertThat(copy.stats().mappingVersion()).isEqualTo(2);
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

  private static Operation from(long seqNo, long version, String id, String source) {
    return new Operation(
        7,
        seqNo,
        version,
        1,
        id,
        null,
        source.getBytes(StandardCharsets.UTF_8),
        new Operation.Origin(seqNo + 100, 7, seqNo + 1_000));
  }

  @Test
  void followsAnotherClusterUnderItsNumbers() throws Exception {
    world.createIndex(
        Map.of("index.refresh_interval", "-1"),
        MAPPING,
        new IndexMetadata.Follow("remote", "books", "uuid", "f1", 3));
    PrimaryCopy copy = started("n1", 1);
    assertThat(copy.cursor().lastOriginOffset()).isEqualTo(-1);
    Operation first = from(0, 1, "a", "{\"title\":\"1\"}");
    Operation second = from(1, 5, "b", "{\"title\":\"2\"}");

    assertThat(copy.replicate(3, List.of(first, second), LONG).applied()).isEqualTo(2);
    assertThat(copy.replicate(3, List.of(first, second), LONG).applied()).isEqualTo(0);

    assertThat(copy.searchable().orElseThrow().get("b", true).version()).isEqualTo(5);
    assertThatThrownBy(() -> copy.replicate(3, List.of(from(9, 1, "z", "{\"title\":\"9\"}")), LONG))
        .hasMessageContaining("history_gap_exception");
    assertThatThrownBy(() -> copy.replicate(2, List.of(), LONG))
        .hasMessageContaining("stale_assignment_exception");
    assertThatThrownBy(() -> copy.write(1, books(1), LONG))
        .hasMessageContaining("cluster_block_exception");
    copy.close();
    PrimaryCopy again = started("n1", 2);
    assertThat(again.cursor().lastOriginOffset()).isEqualTo(101);
    assertThat(again.cursor().lastOriginDigest()).isEqualTo(1_001);
    assertThat(again.cursor().nextSeqNo()).isEqualTo(2);
    PrimaryCopy elsewhere = started("n2", 3);
    assertThat(elsewhere.cursor().lastOriginOffset()).isEqualTo(101);
    assertThat(elsewhere.cursor().lastOriginDigest()).isEqualTo(1_001);
  }

  @Test
  void whatStandsBehindAnotherFenceIsNotWrittenAndMayBeSentAgain() throws Exception {
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
  void aWriteThatComesEarlyWaitsForTheGate() throws Exception {
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
  void aBlockedIndexTakesNoWriteAndShowsAllThatItTook() throws Exception {
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
    world.weather = Weather.SILENT;
    CompletableFuture<List<WriteResult>> write =
        CompletableFuture.supplyAsync(() -> {
          try {
            return copy.write(1, books(1), LONG);
          } catch (InterruptedException e) {
            throw new AssertionError(e);
          }
        });
    await().atMost(LONG).until(() -> copy.progress().appliedSeqNo() == -1 && world.silenced() > 0);
    long version =
        world.happened(
            new ClusterEvent.IndexSettingsChanged(
                NodeWorld.INDEX_UUID, 2, Map.of("index.blocks.search_only", "true")));

    assertThatThrownBy(() -> copy.seal(version, Duration.ofMillis(100)))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("writes in flight did not end");
    world.endSilence();
    write.get(60, TimeUnit.SECONDS);
  }

  @Test
  void aPrimaryThatDoesNotKnowItsSuccessorDoesNotClaimToShowWhatThatTook() throws Exception {
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
  void aConflictWithAWriteInFlightIsToldOnceThatIsAccepted() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.weather = Weather.SILENT;
    copy.write(1, List.of(versioned("a", 5)), Duration.ofMillis(50));

    WriteResult again = copy.write(1, List.of(versioned("a", 5)), Duration.ofMillis(50)).getFirst();

    assertThat(status(again)).as("nobody knows whether version 5 is there").isEqualTo(503);
  }

  @Test
  void aConflictWithAWriteThatWasNotMadeMayBeSentAgain() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    world.weather = Weather.SILENT;
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

  @Test
  void isBehindByTheAgeOfWhatItDoesNotShowAndNotByThatOfItsLastRefresh() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    await()
        .atMost(LONG)
        .during(Duration.ofMillis(200))
        .until(() -> copy.progress().millisBehind() == 0);
    long began = System.nanoTime();
    copy.write(1, books(1), LONG);

    long behind = copy.progress().millisBehind();

    assertThat(behind).isBetween(0L, (System.nanoTime() - began) / 1_000_000 + 1);
    await().atMost(LONG).until(() -> copy.progress().millisBehind() > 0);
    copy.refresh(LONG);
    assertThat(copy.progress().millisBehind()).isZero();
  }
}
