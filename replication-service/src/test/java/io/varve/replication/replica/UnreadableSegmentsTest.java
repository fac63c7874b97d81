package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.SOON;
import static io.varve.replication.replica.ReplicaWorld.awaitVisible;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.cluster.ClusterEvent;
import io.varve.engine.ReadableSegments;
import io.varve.events.Manifest;
import io.varve.events.MergedSegment;
import io.varve.events.ReaderVersion;
import io.varve.events.SnapshotId;
import io.varve.host.ShardCopy;
import io.varve.store.ExponentialBackOff;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Copies of a node that is too old for the segments that the primary publishes. */
@Timeout(300)
class UnreadableSegmentsTest extends SegmentReplicaWorld {

  private static final ReaderVersion LATER = new ReaderVersion(99, 0, 0);
  private static final String REASON =
      "its segments need a node with the reader version [99.0/0] or newer, this node has ["
          + ReadableSegments.ownVersion()
          + "]";

  private final List<String> requests = new CopyOnWriteArrayList<>();

  /** The newest manifest again, as a primary of a later version would publish it. */
  private Manifest publishedByALaterVersion() throws Exception {
    Manifest newest = world.newestManifest();
    Manifest later =
        new Manifest(
            newest.shard(),
            newest.nodeId(),
            newest.term(),
            newest.generation() + 1,
            newest.nextOffset(),
            newest.nextSeqNo(),
            newest.fenceTerm(),
            newest.visibleSeqNo(),
            newest.files(),
            newest.segmentInfos(),
            newest.commitData(),
            newest.createdMillis(),
            LATER);
    world.manifests().append(later);
    return later;
  }

  private List<Path> filesOfReplica() throws Exception {
    try (Stream<Path> files = Files.list(world.indexFolder("n2"))) {
      return files.filter(file -> file.getFileName().toString().startsWith("_")).toList();
    }
  }

  @Test
  void aPrimaryStatesItsVersionFromTheFeatureLevelOn() throws Exception {
    world.index(0, 10);
    world.refresh();
    assertThat(world.newestManifest().minReaderVersion()).isNull();

    world.happen(new ClusterEvent.FeatureLevelRaised(3));
    world.clusterSettings(Map.of("cluster.routing.allocation.enable", "all"));
    world.index(10, 20);
    world.refresh();

    assertThat(world.newestManifest().minReaderVersion()).isEqualTo(ReadableSegments.ownVersion());
    assertThat(hits(world.openReplica())).isEqualTo(20);
  }

  @Test
  void aCopyThatIsBuiltFailsWithTheReasonBeforeItCopiesAnything() throws Exception {
    world.index(0, 100);
    world.refresh();
    publishedByALaterVersion();
    world.server.gate = (method, _) -> requests.add(method);
    SegmentReplicaCopy replica = world.newReplica();

    assertThatThrownBy(replica::start).hasMessageEndingWith(REASON);

    assertThat(replica.state()).isEqualTo(ShardCopy.State.FAILED);
    assertThat(requests).isEmpty();
    assertThat(filesOfReplica()).isEmpty();
  }

  @Test
  void aStartedCopyServesWhatItShowsAndTellsWhyItIsBehind() throws Exception {
    world.retries = new ExponentialBackOff(60_000, 60_000, () -> 0.0);
    world.index(0, 100);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    world.server.gate = (method, _) -> requests.add(method);

    Manifest later = publishedByALaterVersion();
    Awaitility.await().atMost(SOON).until(() -> replica.progress().failure() != null);

    assertThat(replica.progress().failure()).endsWith(REASON);
    assertThat(replica.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(replica.progress().checkpointsBehind()).isEqualTo(1);
    assertThat(hits(replica)).isEqualTo(100);
    assertThat(
            replica
                .merged(
                    new MergedSegment(
                        later.shard(), new SnapshotId(1, 99), "http://n1", later.files()),
                    0)
                .state())
        .isEqualTo(MergedSegment.State.REFUSED);
    assertThat(requests).isEmpty();
    assertThat(world.brokenCopies).isEmpty();
  }

  @Test
  void itCatchesUpWhenAnOlderNodeBecomesThePrimary() throws Exception {
    world.retries = new ExponentialBackOff(60_000, 60_000, () -> 0.0);
    world.index(0, 100);
    world.refresh();
    SegmentReplicaCopy replica = world.openReplica();
    publishedByALaterVersion();
    Awaitility.await().atMost(SOON).until(() -> replica.progress().failure() != null);

    world.openPrimary();
    long last = world.index(100, 120);
    world.refresh();
    awaitVisible(replica, last);

    assertThat(replica.progress().failure()).isNull();
    assertThat(hits(replica)).isEqualTo(120);
  }
}
