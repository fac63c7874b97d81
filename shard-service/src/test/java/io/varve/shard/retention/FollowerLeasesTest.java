package io.varve.shard.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.RetentionLease;
import io.varve.events.FollowerLease;
import io.varve.host.NodeWorld;
import io.varve.log.Appends;
import io.varve.rpc.ShardLeases;
import io.varve.rpc.WriteItem;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FollowerLeasesTest {

  @TempDir Path folder;
  private NodeWorld world;
  private PrimaryCopy primary;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    world.createIndex(Map.of("index.refresh_interval", "-1"), "{}");
    primary = new PrimaryCopy(world.copy("n1"), 1, new WritePressure(1 << 20), null);
    primary.start();
  }

  @AfterEach
  void close() {
    primary.close();
    world.close();
  }

  private void write(int documents) throws Exception {
    for (int i = 0; i < documents; i++) {
      WriteItem item = WriteItem.index("d" + i, "{}".getBytes(StandardCharsets.UTF_8));
      primary.write(1, List.of(item), Duration.ofSeconds(60));
    }
  }

  private void lease(String holder, long fromOffset) throws Exception {
    Appends.await(
        world.manifests(), new FollowerLease(NodeWorld.SHARD, holder, fromOffset).record());
  }

  @Test
  void countsAcquiredBytesThatWereNotReleased() throws Exception {
    FollowerLeases leases = new FollowerLeases(world.node("n1"));
    assertThat(leases.of(NodeWorld.SHARD).leases()).isEmpty();

    // The primary's fence is the first record, before the operations.
    write(5);
    lease("a", 3);
    lease("b", 0);
    lease("ahead", world.operations().endOffset());
    assertThat(leases.of(NodeWorld.SHARD).leases())
        .extracting(ShardLeases.Lease::holder, ShardLeases.Lease::retainingSeqNo)
        .containsExactly(tuple("a", 2L), tuple("ahead", -1L), tuple("b", 0L));

    Appends.await(world.manifests(), FollowerLease.released(NodeWorld.SHARD, "a"));
    Appends.await(world.manifests(), FollowerLease.released(NodeWorld.SHARD, "ahead"));
    lease("b", 5);
    assertThat(leases.of(NodeWorld.SHARD).leases())
        .extracting(ShardLeases.Lease::holder, ShardLeases.Lease::retainingSeqNo)
        .containsExactly(tuple("b", 4L));
  }

  @Test
  void recordedLeasesReplaceWhatTheirHoldersWroteThemselves() throws Exception {
    FollowerLeases leases = new FollowerLeases(world.node("n1"));
    write(5);
    lease("a", 1);
    lease("b", 1);
    lease("older release", 1);
    RetentionLease active = new RetentionLease(7, 1_234, Map.of(0, 4L));
    world.happened(
        new ClusterEvent.LeasesChanged(
            Map.of(
                NodeWorld.SHARD.indexUuid(),
                Map.of("a", active, "b", active.ended(RetentionLease.End.REMOVED, 1_234)))));

    assertThat(leases.of(NodeWorld.SHARD).leases())
        .extracting(ShardLeases.Lease::holder, ShardLeases.Lease::retainingSeqNo)
        .containsExactly(tuple("a", 3L), tuple("older release", 0L));
  }
}
