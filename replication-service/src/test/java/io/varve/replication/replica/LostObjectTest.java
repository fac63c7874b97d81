package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.StoredManifest;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.StoredPoints;
import io.varve.store.StoredSource;
import io.varve.store.TransferBudget;
import io.varve.store.UploadPlan;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The segment store of a remote-backed shard loses an object that it had accepted. A copy that
 * would start from the store then starts from another source, or names the missing object; nothing
 * is lost that the log or another copy has.
 */
@Timeout(300)
class LostObjectTest {

  @TempDir private Path data;
  private final InMemorySegmentStore store = new InMemorySegmentStore();
  private @Nullable ReplicaWorld opened;

  private ReplicaWorld world(int replicas) throws Exception {
    ReplicaWorld world =
        new ReplicaWorld(
            data,
            Map.of(
                "index.refresh_interval", "-1",
                "index.remote_store.enabled", "true",
                "index.log.retention", "auto"),
            replicas);
    opened = world;
    world.transfers.give(
        new StoreAccess(
            "s",
            store,
            new StoreAccess.Settings(
                UploadPlan.Limits.DEFAULT, 0, new StoreAccess.Retention(2, 0, 20)),
            TransferBudget.UNLIMITED,
            new Semaphore(4)));
    world.openPrimary();
    world.routePrimary();
    return world;
  }

  @AfterEach
  void close() throws Exception {
    if (opened != null) {
      opened.close();
    }
  }

  private static @Nullable StoredManifest stored(ReplicaWorld world) throws LogException {
    ManifestLog manifests = world.manifests();
    return manifests.before(manifests.partition().endOffset(), true).stored();
  }

  private static StoredManifest awaitStored(ReplicaWorld world) throws LogException {
    long generation = world.newestManifest().generation();
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(
            () -> assertThat(stored(world).manifest().generation()).isEqualTo(generation));
    return Objects.requireNonNull(stored(world));
  }

  /** Deletes all segment objects of the shard from the store. */
  private void loseEverything() throws Exception {
    for (SegmentStore.Present object : store.list(SegmentStore.Kind.SEGMENTS, ReplicaWorld.SHARD)) {
      store.delete(object.key());
    }
  }

  private boolean readable(StoredManifest stored) throws Exception {
    StoredSource source = new StoredSource(store, stored);
    for (var file : Objects.requireNonNull(stored.manifest()).files()) {
      try (InputStream in = source.open(file, 0, file.lengthBytes())) {
        in.readAllBytes();
      } catch (java.io.IOException e) {
        return false;
      }
    }
    return true;
  }

  @Test
  void aPrimaryWithoutItsFolderReplaysTheLogWhenThatIsWhole() throws Exception {
    ReplicaWorld world = world(0);
    world.index(0, 200);
    world.refresh();
    awaitStored(world);
    loseEverything();
    world.losePrimary();

    assertThat(ReplicaWorld.hits(world.openPrimary())).isEqualTo(200);
  }

  @Test
  void aPrimaryWithoutItsFolderIsRebuiltFromAReplicaWhenTheLogIsTruncated() throws Exception {
    ReplicaWorld world = world(1);
    SegmentReplicaCopy replica = world.openReplica();
    long seqNo = world.index(0, 200);
    world.refresh();
    world.writer().flush();
    ReplicaWorld.awaitVisible(replica, seqNo);
    replica.flush();
    awaitStored(world);
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .untilAsserted(() -> {
          world.writer().truncateLog();
          assertThat(world.operations().startOffset()).isPositive();
        });
    world.index(200, 220);
    loseEverything();
    world.losePrimary();

    assertThat(ReplicaWorld.hits(world.openPrimary())).isEqualTo(220);
  }

  @Test
  void aPrimaryThatNothingElseCanRebuildSaysWhichObjectIsMissing() throws Exception {
    ReplicaWorld world = world(0);
    world.index(0, 200);
    world.refresh();
    world.writer().flush();
    awaitStored(world);
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .untilAsserted(() -> {
          world.writer().truncateLog();
          assertThat(world.operations().startOffset()).isPositive();
        });
    world.writer().close();
    loseEverything();
    world.losePrimary();

    assertThatThrownBy(world::openPrimary)
        .hasMessageContaining("no other copy could be copied")
        .hasStackTraceContaining("bundle-");
  }

  @Test
  void aRunningPrimaryKeepsItsLogAndSendsAllFilesAgainWithItsNextManifest() throws Exception {
    ReplicaWorld world = world(0);
    world.index(0, 200);
    world.refresh();
    StoredManifest before = awaitStored(world);
    loseEverything();
    assertThat(readable(before)).isFalse();
    PrimaryCopy primary = world.writer();

    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .pollInterval(Duration.ofMillis(20))
        .untilAsserted(() -> {
          int document = 200 + (int) (System.nanoTime() % 1_000_000);
          world.index(document, document + 1);
          primary.flush();
          world.refresh();
          assertThat(readable(awaitStored(world))).isTrue();
        });
    assertThat(new StoredPoints(store).keys(ReplicaWorld.SHARD)).isNotEmpty();
  }
}
