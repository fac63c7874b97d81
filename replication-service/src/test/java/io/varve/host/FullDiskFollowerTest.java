package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.varve.ccr.PullerToPrimary;
import io.varve.cluster.ClusterEvent;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.events.Feature;
import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RecordHeader;
import io.varve.log.Appends;
import io.varve.log.PartitionLog;
import io.varve.rpc.ApiException;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.ReplicateWire;
import io.varve.shard.primary.PrimaryCopy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A follower's primary, on a disk that fills up and is freed again. */
class FullDiskFollowerTest extends FullDiskWorld {

  private static final long ASSIGNMENT = 3;
  private static final long LEADER_TERM = 7;
  private static final long FIRST_OFFSET = 1;
  private static final FollowRelation FOLLOW =
      new FollowRelation("remote", "books", "uuid", "f1", ASSIGNMENT);

  private void createFollower() {
    world.happened(new ClusterEvent.FeatureLevelRaised(Feature.FOLLOW_STATUS.since()));
    world.createIndex(
        Map.of("index.refresh_interval", "-1"),
        "{\"properties\":{\"title\":{\"type\":\"keyword\"}}}",
        FOLLOW);
    world.happened(
        new ClusterEvent.FollowStatusChanged(
            NodeWorld.SHARD.indexUuid(), FollowStatus.NEW.withLeaderMappingVersion(1)));
  }

  private static Operation operation(long seqNo) {
    byte[] source = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
    return new Operation(
        LEADER_TERM,
        seqNo,
        1,
        1,
        "book-" + seqNo,
        null,
        source,
        new Operation.Origin(seqNo + FIRST_OFFSET, LEADER_TERM, seqNo));
  }

  /** Sends the operations from the cursor on. */
  private static void pull(PrimaryCopy primary, long toSeqNo) throws Exception {
    ReplicateWire.Cursor cursor = primary.cursor();
    assertThat(cursor.lastOriginOffset())
        .as("the cursor is at one place of the leader's log")
        .isEqualTo(cursor.nextSeqNo() == 0 ? -1 : cursor.nextSeqNo() - 1 + FIRST_OFFSET);
    List<Operation> operations =
        LongStream.range(cursor.nextSeqNo(), toSeqNo)
            .mapToObj(FullDiskFollowerTest::operation)
            .toList();
    assertThat(primary.replicate(ASSIGNMENT, operations, LONG).applied())
        .isEqualTo(operations.size());
  }

  private static PrimaryCopy planned(CopyHost host) {
    await()
        .atMost(LONG)
        .until(() ->
            host.copy(NodeWorld.SHARD)
                .map(PrimaryCopy.class::cast)
                .filter(copy -> copy.bootstrap().state() == BootstrapWire.State.AWAITED)
                .isPresent());
    PrimaryCopy primary = (PrimaryCopy) host.copy(NodeWorld.SHARD).orElseThrow();
    var _ = primary.bootstrap(ASSIGNMENT, BootstrapWire.Plan.REPLAY);
    return primary;
  }

  @ParameterizedTest
  @EnumSource
  void aFollowerWhoseDiskWasFullHasEachOperationOnceWhenThereIsRoom(SmallDisk.Kind kind)
      throws Exception {
    SmallDisk small = disk(kind);
    NodeContext node = nodeOn(small, world.leader);
    CopyHost host =
        new CopyHost(
            node,
            (context, _, term) -> new PrimaryCopy(context, term, PRESSURE, null),
            progress(node));
    copies = host;
    createFollower();
    join(node);
    host.start();
    assign(1);
    var _ = planned(host);
    PrimaryCopy first = awaitPrimary(node, host, 1);
    pull(first, 100);
    first.refresh(LONG);
    // A restart deletes segments without a commit, which makes room.
    first.flush();

    small.fill();
    // The log is on another disk.
    pull(first, 200);
    assertThatThrownBy(() -> first.refresh(LONG)).hasStackTraceContaining(FULL);
    await().atMost(LONG).until(() -> !world.leader.failed.isEmpty());
    assertThatThrownBy(() -> first.replicate(ASSIGNMENT, List.of(operation(200)), LONG))
        .isInstanceOfSatisfying(
            ApiException.class,
            e ->
                assertThat(e.error().type())
                    .as("a puller tries again")
                    .isIn("stale_primary_exception", ReplicateWire.CONFLICT));

    small.makeRoom();
    long next = 100;
    assign(next);
    PrimaryCopy second = awaitPrimary(node, host, next);
    assertThat(second.cursor().nextSeqNo()).isEqualTo(200);
    pull(second, 300);
    second.refresh(LONG);
    assertThat(hits(second)).as("once each").isEqualTo(300);
    assertThat(second.cursor().lastOriginOffset()).isEqualTo(299 + FIRST_OFFSET);
  }

  /** Appends the leader's operations up to that seq_no. */
  private static void leaderWrites(PartitionLog leader, long fromSeqNo, long toSeqNo)
      throws Exception {
    for (long seqNo = fromSeqNo; seqNo < toSeqNo; seqNo++) {
      byte[] source = "{\"title\":\"t\"}".getBytes(StandardCharsets.UTF_8);
      var _ =
          Appends.await(
              leader,
              OperationCodec.encode(
                  new Operation(LEADER_TERM, seqNo, 1, 1, "book-" + seqNo, null, source, null)));
    }
  }

  private static void awaitPulled(PrimaryCopy primary, long seqNo) {
    await().atMost(LONG).until(() -> primary.cursor().nextSeqNo() == seqNo);
  }

  @ParameterizedTest
  @EnumSource
  void aRealPullerGoesOnByItselfWhenThereIsRoomAgain(SmallDisk.Kind kind) throws Exception {
    SmallDisk small = disk(kind);
    NodeContext node = nodeOn(small, world.leader);
    CopyHost host =
        new CopyHost(
            node,
            (context, _, term) -> new PrimaryCopy(context, term, PRESSURE, null),
            progress(node));
    copies = host;
    createFollower();
    join(node);
    PartitionLog leader = node.log().open("operations-of-the-leader", 0);
    var _ = Appends.await(leader, RecordHeader.fence(LEADER_TERM, "l1"));
    leaderWrites(leader, 0, 100);
    host.start();
    assign(1);

    try (PullerToPrimary puller =
        new PullerToPrimary(
            NodeWorld.SHARD,
            FOLLOW,
            leader,
            () -> host.copy(NodeWorld.SHARD).map(PrimaryCopy.class::cast))) {
      PrimaryCopy first = awaitPrimary(node, host, 1);
      awaitPulled(first, 100);
      first.refresh(LONG);
      // A restart deletes segments without a commit, which makes room.
      first.flush();

      small.fill();
      leaderWrites(leader, 100, 200);
      awaitPulled(first, 200);
      assertThatThrownBy(() -> first.refresh(LONG)).hasStackTraceContaining(FULL);
      await().atMost(LONG).until(() -> !world.leader.failed.isEmpty());
      leaderWrites(leader, 200, 300);

      small.makeRoom();
      assign(100);
      PrimaryCopy second = awaitPrimary(node, host, 100);
      awaitPulled(second, 300);
      second.refresh(LONG);
      assertThat(hits(second)).as("once each").isEqualTo(300);
      await()
          .atMost(LONG)
          .untilAsserted(() -> assertThat(puller.stats().state()).isEqualTo("PULLING"));
    }
  }
}
