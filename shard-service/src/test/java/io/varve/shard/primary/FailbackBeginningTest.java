package io.varve.shard.primary;

import static io.varve.host.NodeWorld.INDEX_UUID;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.Failback;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.Replacement;
import io.varve.cluster.RetentionLease;
import io.varve.cluster.ShardRouting;
import io.varve.engine.ClosedSegments;
import io.varve.engine.SearchableCopy;
import io.varve.events.Feature;
import io.varve.events.Operation;
import io.varve.events.RecordDigest;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.host.CopyContext;
import io.varve.log.Appends;
import io.varve.log.PartitionLog;
import io.varve.log.TermFence;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.ForkPlace;
import io.varve.rpc.ReplicateWire;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/**
 * Tests the primary of an index that takes the place of a former leader index: it has the former
 * operations up to the fork, and those after it are in the quarantine topic.
 */
class FailbackBeginningTest extends PrimaryCopyWorld {

  private static final ShardId SUCCESSOR = new ShardId("successor-uuid", 0);
  private static final long FORK_OFFSET = 20;
  private static final long FORK_TERM = 6;

  /** The former leader: books b0 to b4 have seq_nos 0 to 4; term 1. */
  private void formerLeader() throws Exception {
    createBooks();
    world.happened(new ClusterEvent.FeatureLevelRaised(Feature.FAILBACK.since()));
    world.happened(new ClusterEvent.PrimaryAssigned(world.copy("n1").shard(), "copy-0", "n1", 1));
    PrimaryCopy former = started("n1", 1);
    former.write(1, books(5), LONG);
    former.close();
    world.happened(new ClusterEvent.IndexClosed(INDEX_UUID));
  }

  private ForkPlace forkAt(long seqNo) throws Exception {
    PartitionLog log = world.operations();
    List<StoredRecord> found = new ArrayList<>();
    log.read(
        0,
        log.endOffset(),
        stored -> {
          RecordHeader header = RecordHeader.read(stored.record().header());
          if (header.kind() == RecordHeader.Kind.DATA && header.seqNo() == seqNo) {
            found.add(stored);
          }
        });
    StoredRecord last = found.getFirst();
    return new ForkPlace(last.offset(), 1, seqNo, RecordDigest.of(last), FORK_OFFSET, FORK_TERM);
  }

  private void successor(ForkPlace fork) throws Exception {
    CopyContext context = context("n2");
    context
        .node()
        .log()
        .createTopics(List.of(context.node().topics().quarantineSpec(INDEX_UUID, 1)));
    world.happened(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                ".failback-books",
                SUCCESSOR.indexUuid(),
                0,
                Map.of("index.refresh_interval", "-1"),
                1,
                MAPPING,
                1,
                Replacement.failback(
                    new FollowRelation("west", "copy", "copy-uuid", "puller", 1),
                    new Failback(INDEX_UUID, Map.of(0, fork))),
                List.of(
                    new ShardRouting(
                        SUCCESSOR, 0, List.of(CopyRouting.unassigned("s", true, "new")))))));
  }

  private CopyContext context(String node) throws IOException {
    CopyContext books = world.copy(node);
    Path own = books.folder().getParent().resolveSibling(SUCCESSOR.indexUuid()).resolve("0");
    return new CopyContext(
        books.node(), SUCCESSOR, "copy-on-" + node, Files.createDirectories(own), books.host());
  }

  private PrimaryCopy primary(String node, long term) throws IOException {
    PrimaryCopy copy = new PrimaryCopy(context(node), term, new WritePressure(1 << 20), null);
    open.add(copy);
    return copy;
  }

  private List<String> quarantined() throws Exception {
    CopyContext context = context("n2");
    PartitionLog quarantine =
        context.node().log().open(context.node().topics().quarantine(INDEX_UUID), 0);
    List<String> ids = new ArrayList<>();
    quarantine.read(
        0,
        quarantine.endOffset(),
        stored -> ids.add(new String(stored.record().key(), StandardCharsets.UTF_8)));
    return ids;
  }

  private static boolean has(PrimaryCopy copy, String id) {
    SearchableCopy searchable = copy.searchable().orElseThrow();
    return searchable.get(id, true, Set.of()).found();
  }

  @Test
  void thePrimaryHasTheOperationsUpToTheForkAndPullsFromThePromotedIndexesFence() throws Exception {
    formerLeader();
    successor(forkAt(2));
    PrimaryCopy copy = primary("n2", 1);

    copy.start();

    assertThat(has(copy, "b2")).isTrue();
    assertThat(has(copy, "b3")).isFalse();
    ReplicateWire.Cursor cursor = copy.cursor();
    assertThat(cursor.lastOriginOffset()).isEqualTo(FORK_OFFSET);
    assertThat(cursor.lastOriginTerm()).isEqualTo(FORK_TERM);
    assertThat(cursor.nextSeqNo()).isEqualTo(3);
    assertThat(copy.bootstrap().state()).isEqualTo(BootstrapWire.State.BEGUN);
    assertThat(quarantined()).containsExactly("b3", "b4");
  }

  @Test
  void operationsOfThePromotedIndexFollowAndArePersistent() throws Exception {
    formerLeader();
    successor(forkAt(2));
    PrimaryCopy copy = primary("n2", 1);
    copy.start();
    world.happened(
        new ClusterEvent.FollowStatusChanged(
            SUCCESSOR.indexUuid(), FollowStatus.NEW.withLeaderMappingVersion(1)));
    Operation next =
        new Operation(
            FORK_TERM,
            3,
            1,
            1,
            "b9",
            null,
            "{\"title\":\"new\"}".getBytes(StandardCharsets.UTF_8),
            new Operation.Origin(FORK_OFFSET + 1, FORK_TERM, 5));

    ReplicateWire.Answer answer = copy.replicate(1, List.of(next), LONG);

    assertThat(answer.applied()).isEqualTo(1);
    copy.close();
    PrimaryCopy again = primary("n2", 2);
    again.start();
    assertThat(has(again, "b1")).isTrue();
    assertThat(has(again, "b9")).isTrue();
    assertThat(again.cursor().lastOriginOffset()).isEqualTo(FORK_OFFSET + 1);
    assertThat(quarantined()).as("nothing is copied twice").hasSize(2);
  }

  @Test
  void theFormerLogAcceptsNothingMore() throws Exception {
    formerLeader();
    successor(forkAt(2));
    primary("n2", 1).start();

    var _ =
        Appends.await(
            world.operations(),
            RecordHeader.data(
                1,
                5,
                "late".getBytes(StandardCharsets.UTF_8),
                "{}".getBytes(StandardCharsets.UTF_8)));

    TermFence fence = new TermFence();
    List<TermFence.Verdict> verdicts = new ArrayList<>();
    PartitionLog log = world.operations();
    log.read(0, log.endOffset(), stored -> verdicts.add(fence.judge(stored.record())));
    assertThat(verdicts.getLast()).isEqualTo(TermFence.Verdict.STALE_TERM);
    assertThat(fence.term()).as("the former primary had term 1").isEqualTo(2);
  }

  @Test
  void aPrimaryThatBeginsAgainOnAnotherNodeCopiesNothingToTheQuarantineAgain() throws Exception {
    formerLeader();
    ForkPlace fork = forkAt(2);
    successor(fork);
    Failback failback = new Failback(INDEX_UUID, Map.of(0, fork));

    for (String node : List.of("n2", "n3")) {
      CopyContext context = context(node);
      Path index = context.folder().resolve("index");
      assertThat(new FailbackBeginning(context, index, 1, failback).fill()).as(node).isTrue();
      assertThat(ClosedSegments.checkpoint(index).nextSeqNo()).as(node).isEqualTo(3);
    }

    assertThat(quarantined()).containsExactly("b3", "b4");
  }

  @Test
  void anOperationWhoseCopyFailedIsCopiedLater() throws Exception {
    formerLeader();
    ForkPlace fork = forkAt(1);
    successor(fork);
    CopyContext context = context("n2");
    PartitionLog quarantine =
        context.node().log().open(context.node().topics().quarantine(INDEX_UUID), 0);
    List<StoredRecord> former = new ArrayList<>();
    world.operations().read(0, world.operations().endOffset(), former::add);
    // As if the copies of b2 and b4 had failed, and that of b3 had not.
    var _ = Appends.await(quarantine, former.get((int) forkAt(3).leaderOffset()).record());

    primary("n2", 1).start();

    assertThat(quarantined()).containsExactly("b3", "b2", "b4");
  }

  @Test
  void aFormerLogWithAnotherHistoryIsNotReplayedAndNothingIsLost() throws Exception {
    formerLeader();
    ForkPlace fork = forkAt(2);
    successor(
        new ForkPlace(fork.leaderOffset(), 1, 2, fork.leaderDigest() + 1, FORK_OFFSET, FORK_TERM));

    assertThatThrownBy(primary("n2", 1)::start)
        .hasMessageContaining("not the one that its follower pulled");
  }

  @Test
  void aFormerIndexThatIsOpenIsNotFenced() throws Exception {
    formerLeader();
    successor(forkAt(2));
    world.happened(new ClusterEvent.IndexOpened(INDEX_UUID));

    assertThatThrownBy(primary("n2", 1)::start).hasMessageContaining("is open or deleted");
  }

  @Test
  void aForkBeforeAnyOperationPutsAllOperationsInQuarantine() throws Exception {
    formerLeader();
    successor(new ForkPlace(-1, 0, -1, null, FORK_OFFSET, FORK_TERM));
    PrimaryCopy copy = primary("n2", 1);

    copy.start();

    assertThat(has(copy, "b0")).isFalse();
    assertThat(copy.cursor().lastOriginOffset()).isEqualTo(FORK_OFFSET);
    assertThat(copy.cursor().nextSeqNo()).isZero();
    assertThat(quarantined()).hasSize(5);
  }

  @Test
  void aTruncatedFormerLogNeedsThePromotedIndexesSegments() throws Exception {
    formerLeader();
    ForkPlace fork = forkAt(2);
    world.operations().truncateBefore(2);
    successor(fork);
    PrimaryCopy copy = primary("n2", 1);

    CompletableFuture<Void> start = CompletableFuture.runAsync(() -> start(copy));

    Awaitility.await()
        .atMost(LONG)
        .until(() -> copy.bootstrap().state() == BootstrapWire.State.AWAITED);
    assertThat(copy.bootstrap().mustCopy()).isTrue();
    assertThat(quarantined()).containsExactly("b3", "b4");
    world.happened(new ClusterEvent.FollowChanged(SUCCESSOR.indexUuid(), null));
    start.get(60, TimeUnit.SECONDS);
  }

  /** The former leader with a follower; b0 to b2 are committed, and written again after that. */
  private void formerLeaderWithAFollower(boolean commits) throws Exception {
    createBooks();
    world.happened(new ClusterEvent.FeatureLevelRaised(Feature.FAILBACK.since()));
    world.happened(new ClusterEvent.PrimaryAssigned(world.copy("n1").shard(), "copy-0", "n1", 1));
    world.happened(
        new ClusterEvent.LeasesChanged(
            Map.of(INDEX_UUID, Map.of("follower", new RetentionLease(1, 0, Map.of(0, 4L))))));
    PrimaryCopy former = started("n1", 1);
    former.write(1, books(3), LONG);
    if (commits) {
      former.flush();
    }
    former.write(1, books(5), LONG);
    former.close();
    world.happened(new ClusterEvent.IndexClosed(INDEX_UUID));
    Path pins = world.copy("n1").folder().resolve("pinned");
    Path shards = context("n2").folder().getParent().getParent();
    Path shard = Files.createDirectories(shards.resolve(INDEX_UUID).resolve("0"));
    if (Files.exists(pins)) {
      Files.move(pins, shard.resolve("pinned"));
    }
  }

  @Test
  void aTruncatedFormerLogIsReplayedFromACommitThatWasPinnedForTheFollower() throws Exception {
    formerLeaderWithAFollower(true);
    ForkPlace fork = forkAt(4);
    world.operations().truncateBefore(4);
    successor(fork);
    PrimaryCopy copy = primary("n2", 1);

    copy.start();

    assertThat(has(copy, "b2")).isTrue();
    assertThat(has(copy, "b3")).as("its seq_no is 6").isFalse();
    assertThat(copy.cursor().nextSeqNo()).isEqualTo(5);
    assertThat(copy.cursor().lastOriginOffset()).isEqualTo(FORK_OFFSET);
    assertThat(quarantined()).containsExactly("b2", "b3", "b4");
  }

  @Test
  void withoutAPinnedCommitATruncatedFormerLogNeedsThePromotedIndexesSegments() throws Exception {
    formerLeaderWithAFollower(false);
    ForkPlace fork = forkAt(4);
    world.operations().truncateBefore(4);
    successor(fork);
    PrimaryCopy copy = primary("n2", 1);

    CompletableFuture<Void> start = CompletableFuture.runAsync(() -> start(copy));

    Awaitility.await()
        .atMost(LONG)
        .until(() -> copy.bootstrap().state() == BootstrapWire.State.AWAITED);
    world.happened(new ClusterEvent.FollowChanged(SUCCESSOR.indexUuid(), null));
    start.get(60, TimeUnit.SECONDS);
  }

  private static void start(PrimaryCopy copy) {
    try {
      copy.start();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
