package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.awaitVisible;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.SegmentEngine;
import io.varve.host.ShardCopy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The manifest that a round has installed stays installed, whatever fails afterwards. */
class InstalledRoundTest {

  @TempDir private Path data;
  private ReplicaWorld world;
  private SegmentReplicaCopy replica;

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"));
    world.openPrimary();
    world.index(0, 10);
    world.refresh();
    replica = world.openReplica();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  void aCopyThatCanNotTidyUpGoesOn() throws Exception {
    Path undeletable = world.indexFolder("n2").resolve("replication.full-folder.tmp");
    Files.createDirectories(undeletable.resolve("inside"));

    for (int round = 1; round <= 3; round++) {
      world.index(10 * round, 10 * round + 10);
      awaitVisible(replica, world.refresh());
    }

    assertThat(replica.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(world.brokenCopies).isEmpty();
  }

  @Test
  void whatIsShownAlreadyMayBeShownAgain() throws Exception {
    ShownSnapshots snapshots = (ShownSnapshots) replica.snapshots().orElseThrow();
    SegmentEngine engine = (SegmentEngine) replica.searchable().orElseThrow();

    snapshots.shown(engine);

    world.index(10, 20);
    awaitVisible(replica, world.refresh());
    assertThat(replica.state()).isEqualTo(ShardCopy.State.STARTED);
  }

  @Test
  void aRoundWhoseSnapshotCanNotBeOfferedToPeersIsRetried() throws Exception {
    world.timer.refuse(2);
    world.index(10, 20);

    awaitVisible(replica, world.refresh());

    assertThat(world.timer.refusalsLeft()).isLessThan(2);
    assertThat(replica.state()).isEqualTo(ShardCopy.State.STARTED);
    assertThat(world.brokenCopies).isEmpty();
  }
}
