package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.awaitVisible;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.EngineConfig;
import io.varve.engine.SegmentEngine;
import io.varve.events.SegmentFile;
import io.varve.host.ShardCopy;
import io.varve.rpc.CopyStats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests a field with {@code eager_global_ordinals} without any search. */
@Timeout(300)
class WarmReplicaTest {

  @TempDir private Path data;
  private ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"), 1);
    world.makeOrdinalsAhead();
    world.openPrimary();
    world.index(0, 50);
    world.refresh();
    world.index(50, 100);
    world.refresh();
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  private static CopyStats.Activity activity(ShardCopy copy) {
    return copy.stats().activity();
  }

  private static void assertWarm(ShardCopy copy) {
    assertThat(activity(copy).search().caches().fielddataBytes()).containsKey("tag");
    assertThat(activity(copy).search().caches().fielddataBytes().get("tag")).isPositive();
  }

  @Test
  void ordinalsAreThereWhenPrimaryAndReplicaShowAReader() throws Exception {
    SegmentReplicaCopy replica = world.openReplica();
    assertWarm(world.writer());
    assertWarm(replica);
    long before = activity(replica).refresh().warmers().total();
    assertThat(before).isPositive();

    world.index(100, 150);
    awaitVisible(replica, world.refresh());

    assertThat(activity(replica).refresh().warmers().total()).isEqualTo(before + 1);
    assertThat(activity(replica).refresh().warmers().current()).isZero();
    assertWarm(replica);
  }

  @Test
  void anIndexWithoutWarmersLeavesItToSearches() throws Exception {
    world.close();
    world =
        new ReplicaWorld(
            data.resolve("cold"),
            Map.of("index.refresh_interval", "-1", "index.warmer.enabled", "false"),
            1);
    world.makeOrdinalsAhead();
    world.openPrimary();
    for (int n = 0; n < 3; n++) {
      world.index(n, n + 1);
      world.refresh();
    }
    assertThat(activity(world.writer()).refresh().warmers().total()).isZero();
    assertThat(activity(world.writer()).search().caches().fielddataBytes()).isEmpty();
  }

  @Test
  void aReaderIsWarmedBeforeItIsShown() throws Exception {
    world.openReplica().close();
    List<Long> shownMeanwhile = new ArrayList<>();
    try (SegmentEngine engine =
        SegmentEngine.open(
            new EngineConfig(ReplicaWorld.SHARD, world.indexFolder("n2"), 0, Map.of()))) {
      long before = engine.generation();
      engine.warmWith((reader, meters) -> {
        shownMeanwhile.add(engine.generation());
        throw new IllegalStateException("a warmer that fails");
      });
      world.index(100, 150);
      world.refresh();
      SegmentReplicaCopy other = world.openReplicaOn("n3");
      assertThat(hits(other)).isEqualTo(150);
      for (SegmentFile file : world.newestManifest().files()) {
        Files.copy(
            world.indexFolder("n3").resolve(file.name()),
            world.indexFolder("n2").resolve(file.name()),
            StandardCopyOption.REPLACE_EXISTING);
      }

      engine.install(world.newestManifest());

      assertThat(shownMeanwhile).containsExactly(before);
      assertThat(engine.generation()).isGreaterThan(before);
      assertThat(engine.stats().counters().upkeep().warms().total()).isZero();
    }
  }
}
