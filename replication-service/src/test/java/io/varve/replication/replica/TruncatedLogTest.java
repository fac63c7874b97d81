package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RetentionLease;
import io.varve.rpc.ApiException;
import io.varve.shard.primary.PrimaryCopy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.FileSystemUtils;

/**
 * A shard without a segment store whose index has {@code index.log.retention: auto}: the operations
 * that its log keeps, and the rebuilding of copies that need more.
 */
@Timeout(300)
class TruncatedLogTest {

  @TempDir private Path data;
  private @Nullable ReplicaWorld world;

  private ReplicaWorld world(int replicas, String... settings) throws Exception {
    Map<String, String> all = new HashMap<>();
    all.put("index.refresh_interval", "-1");
    all.put("index.log.retention", "auto");
    all.put("index.replication.type", IndexMetadata.SEGMENT);
    for (int i = 0; i < settings.length; i += 2) {
      all.put(settings[i], settings[i + 1]);
    }
    ReplicaWorld made = new ReplicaWorld(data, all, replicas);
    world = made;
    made.openPrimary();
    made.routePrimary();
    return made;
  }

  @AfterEach
  void close() throws Exception {
    if (world != null) {
      world.close();
    }
  }

  private static void commit(ReplicaWorld world) throws Exception {
    world.refresh();
    world.writer().flush();
  }

  private static long end(ReplicaWorld world) throws Exception {
    return world.operations().endOffset();
  }

  private static long truncated(ReplicaWorld world) throws Exception {
    world.writer().truncateLog();
    return world.operations().startOffset();
  }

  @Test
  void aLogWithoutAStoreKeepsWhatNotBothCopiesHoldDurably() throws Exception {
    ReplicaWorld world = world(1);
    SegmentReplicaCopy replica = world.openReplica();
    long seqNo = world.index(0, 100);
    commit(world);
    ReplicaWorld.awaitVisible(replica, seqNo);
    long both = end(world);

    assertThat(truncated(world)).as("the replica has made nothing durable").isZero();
    replica.flush();
    world.index(100, 150);

    assertThat(truncated(world)).isEqualTo(both);
    world.writer().flush();
    assertThat(truncated(world)).as("the replica lacks what is not published").isEqualTo(both);
  }

  @Test
  void aDocumentReplicasCommitHoldsTheLog() throws Exception {
    ReplicaWorld world = world(1, "index.replication.type", IndexMetadata.DOCUMENT);
    DocumentReplicaCopy replica = world.newDocumentReplica();
    replica.start();
    long seqNo = world.index(0, 100);
    commit(world);
    assertThat(replica.readable().await(seqNo, ReplicaWorld.SOON)).isTrue();

    assertThat(truncated(world)).isLessThanOrEqualTo(1);
    replica.flush();

    assertThat(truncated(world)).isEqualTo(end(world));
  }

  @Test
  void aNodeThatDoesNotKnowTheQuestionHoldsTheLog() throws Exception {
    ReplicaWorld world = world(1);
    SegmentReplicaCopy replica = world.openReplica();
    long seqNo = world.index(0, 100);
    commit(world);
    ReplicaWorld.awaitVisible(replica, seqNo);
    replica.flush();
    world.server.gates.put(
        "n2",
        (name, rest) -> {
          if (name.equals("GET durable")) {
            throw new ApiException(404, "resource_not_found_exception", "no endpoint");
          }
        });

    assertThat(truncated(world)).isZero();
    world.server.gates.clear();

    assertThat(truncated(world)).isEqualTo(end(world));
  }

  @Test
  void aSingleCopyKeepsItsWholeLogUnlessOneCopyIsEnough() throws Exception {
    ReplicaWorld two = world(0);
    two.index(0, 100);
    commit(two);
    assertThat(truncated(two)).isZero();
    two.close();
    FileSystemUtils.deleteRecursively(data.resolve("n1"));

    ReplicaWorld one = world(0, "index.log.retention.min_copies", "1");
    one.index(0, 100);
    commit(one);
    assertThat(truncated(one)).isEqualTo(end(one));
  }

  @Test
  void aRecordedLeaseHoldsTheLogUntilItEndsAndIsReportedBeyondItsLimit() throws Exception {
    ReplicaWorld world =
        world(
            0,
            "index.log.retention.min_copies",
            "1",
            "index.soft_deletes.retention_lease.max_bytes",
            "1kb");
    RetentionLease lease = new RetentionLease(7, 0, Map.of(0, 40L));
    world.index(0, 100);
    world.happen(leases(lease));
    commit(world);

    assertThat(truncated(world)).isEqualTo(40);
    assertThat(world.leader.leasesOverLimit)
        .singleElement()
        .satisfies(report -> assertThat(report.limitOffset()).isBetween(41L, end(world)));

    world.happen(leases(lease.overLimit(0, 90)));
    assertThat(truncated(world)).isEqualTo(end(world));
  }

  private static ClusterEvent leases(RetentionLease lease) {
    return new ClusterEvent.LeasesChanged(
        Map.of(ReplicaWorld.SHARD.indexUuid(), Map.of("west-copyuuid", lease)));
  }

  @Test
  void nothingGoesFromALogThatIsKeptForever() throws Exception {
    ReplicaWorld world = world(0, "index.log.retention", "forever");
    world.index(0, 100);
    commit(world);

    assertThat(truncated(world)).isZero();
  }

  @Test
  void aPrimaryThatWasReplacedTruncatesNothing() throws Exception {
    ReplicaWorld world = world(0, "index.log.retention.min_copies", "1");
    world.index(0, 100);
    commit(world);
    world.happen(new ClusterEvent.PrimaryAssigned(ReplicaWorld.SHARD, "other", "n2", 2));

    assertThat(truncated(world)).isZero();
  }

  @Test
  void aDocumentReplicaWhoseFolderEndsBeforeTheLogBeginsIsRebuiltFromThePrimary() throws Exception {
    ReplicaWorld world = world(1, "index.replication.type", IndexMetadata.DOCUMENT);
    DocumentReplicaCopy before = world.newDocumentReplica();
    before.start();
    world.index(0, 50);
    before.close();
    long seqNo = world.index(50, 120);
    commit(world);
    world.operations().truncateBefore(end(world) - 10);

    DocumentReplicaCopy rebuilt = world.newDocumentReplica();
    rebuilt.start();

    assertThat(rebuilt.readable().await(seqNo, ReplicaWorld.SOON)).isTrue();
    assertThat(ReplicaWorld.hits(rebuilt)).isEqualTo(120);
    assertThat(rebuilt.recovery().type()).isEqualTo("PEER");
    world.index(120, 130);
    assertThat(rebuilt.show(seqNo + 10, ReplicaWorld.SOON)).isTrue();
    assertThat(ReplicaWorld.hits(rebuilt)).isEqualTo(130);
  }

  @Test
  void aPrimaryWithoutItsFolderIsRebuiltFromAReplica() throws Exception {
    ReplicaWorld world = world(1);
    SegmentReplicaCopy replica = world.openReplica();
    long seqNo = world.index(0, 100);
    commit(world);
    ReplicaWorld.awaitVisible(replica, seqNo);
    replica.flush();
    assertThat(truncated(world)).isPositive();
    world.index(100, 120);
    world.losePrimary();

    PrimaryCopy rebuilt = world.openPrimary();

    assertThat(ReplicaWorld.hits(rebuilt)).isEqualTo(120);
    assertThat(world.index(120, 121)).isEqualTo(120);
  }

  @Test
  void aPrimaryThatNobodyCanRebuildDoesNotStart() throws Exception {
    ReplicaWorld world = world(0, "index.log.retention.min_copies", "1");
    world.index(0, 100);
    commit(world);
    assertThat(truncated(world)).isPositive();
    world.losePrimary();

    assertThatThrownBy(world::openPrimary)
        .hasMessageContaining("begins at")
        .hasMessageContaining("no other copy could be copied");
  }
}
