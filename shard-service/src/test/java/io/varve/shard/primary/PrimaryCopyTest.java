package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.Fork;
import io.varve.events.Operation;
import io.varve.events.SnapshotId;
import io.varve.host.AppendFaults.Fate;
import io.varve.host.NodeWorld;
import io.varve.host.ShardCopy;
import io.varve.host.SnapshotSource;
import io.varve.rpc.ApiException;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.ForkPlace;
import io.varve.rpc.WriteItem;
import io.varve.rpc.WriteResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PrimaryCopyTest extends PrimaryCopyWorld {
  private static String source(PrimaryCopy copy, String id) {
    byte[] source = copy.searchable().orElseThrow().get(id, true).source();
    return source == null ? "none" : new String(source, StandardCharsets.UTF_8);
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
  void aLostManifestIsPublishedByTheNextRefreshEvenWithoutNewWrites() throws Exception {
    createBooks();
    PrimaryCopy copy = started("n1", 1);
    copy.write(1, books(10), LONG);
    world.appends.ofManifests = Fate.LOST;
    assertThatThrownBy(() -> copy.refresh(LONG)).isInstanceOf(ApiException.class);
    assertThat(world.manifests().endOffset()).isEqualTo(1);
    assertThat(copy.visible().current()).isEqualTo(-1);
    world.appends.ofManifests = Fate.ACCEPTED;

    assertThat(copy.refresh(LONG).visibleSeqNo()).isEqualTo(9);

    assertThat(world.manifests().endOffset()).isEqualTo(2);
  }

  @Test
  void aLostManifestOfMergedSegmentsIsPublishedWithoutNewWrites() throws Exception {
    world.createIndex(Map.of("index.refresh_interval", "50ms"), MAPPING);
    PrimaryCopy copy = started("n1", 1);
    for (WriteItem book : books(3)) {
      copy.write(1, List.of(book), LONG);
      copy.refresh(LONG);
    }
    world.appends.ofManifests = Fate.LOST;
    assertThatThrownBy(() -> copy.forceMerge(new ForceMergeRequest(1, false, false)))
        .hasRootCauseInstanceOf(ApiException.class);
    long published = world.manifests().endOffset();
    world.appends.ofManifests = Fate.ACCEPTED;

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
  void isFencedByAHigherTermAndContainsOnlyAcceptedOperations() throws Exception {
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
  void aPromotedPrimaryTellsWhereItLeftItsLeaderAndRefusesALatePuller() throws Exception {
    FollowRelation follow = new FollowRelation("remote", "books", "uuid", "f1", 3);
    world.createIndex(Map.of("index.refresh_interval", "-1"), MAPPING, follow);
    PrimaryCopy before = started("n1", 1);
    Operation first = from(0, 1, "a", "{\"title\":\"1\"}");
    Operation second = from(1, 5, "b", "{\"title\":\"2\"}");
    before.replicate(3, List.of(first, second), LONG);
    assertThat(before.fork()).isEmpty();
    before.close();

    String uuid = NodeWorld.SHARD.indexUuid();
    world.happened(new ClusterEvent.FollowChanged(uuid, null, Fork.of(follow)));
    long fenceOffset = world.operations().endOffset();
    PrimaryCopy promoted = started("n1", 2);

    ForkPlace place = new ForkPlace(101, 7, 1, 1_001L, fenceOffset, 2);
    assertThat(promoted.fork()).contains(place);
    Operation late = from(2, 1, "c", "{\"title\":\"3\"}");
    assertThatThrownBy(() -> promoted.replicate(3, List.of(late), LONG))
        .hasMessageContaining("does not follow another");
    assertThat(promoted.write(2, books(1), LONG)).hasSize(1);
    world.happened(new ClusterEvent.ShardForked(NodeWorld.SHARD, place));
    assertThat(promoted.fork()).isEmpty();
  }

  @Test
  void followsAnotherClusterUnderItsNumbers() throws Exception {
    world.createIndex(
        Map.of("index.refresh_interval", "-1"),
        MAPPING,
        new FollowRelation("remote", "books", "uuid", "f1", 3));
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
  void theLagIsTheAgeOfTheOldestInvisibleOperationAndNotOfTheLastRefresh() throws Exception {
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
