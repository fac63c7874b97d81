package io.varve.shard.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.events.StoredManifest;
import io.varve.host.CopyContext;
import io.varve.host.NodeWorld;
import io.varve.host.log.ManifestLog;
import io.varve.rpc.CopyStats;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.StoredPoints;
import io.varve.store.TransferBudget;
import io.varve.store.UploadPlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An existing index, and one that was restored from it, perhaps by another cluster. */
class CrossIndexReferencesTest {

  private static final ShardId SOURCE = new ShardId("uuid-of-source", 0);

  @TempDir Path folder;
  private final InMemorySegmentStore store = new InMemorySegmentStore();
  private final StoredPoints points = new StoredPoints(store);
  private final StoreAccess access =
      new StoreAccess(
          "s",
          store,
          new StoreAccess.Settings(
              UploadPlan.Limits.DEFAULT, 0, new StoreAccess.Retention(1, 0, 1)),
          TransferBudget.UNLIMITED,
          new Semaphore(1));
  private final RemoteStore remote =
      new RemoteStore(access, (_, _, _, _) -> CopyStats.Downloads.NONE);
  private NodeWorld world;
  private CopyContext restored;

  @BeforeEach
  void open() throws Exception {
    world = new NodeWorld(folder);
    world.createIndex(Map.of(), "{}");
    restored = world.copy("n1");
  }

  @AfterEach
  void close() {
    world.close();
  }

  private static SegmentStore.Key object(int generation) {
    return new SegmentStore.Key(SegmentStore.Kind.SEGMENTS, SOURCE, 1, "object-" + generation);
  }

  /** Uploads a manifest with one new file and none of the earlier ones. */
  private StoredManifest upload(int generation) throws IOException {
    SegmentFile file = new SegmentFile("_" + generation, 1, "1", "id" + generation);
    store.put(object(generation), new ByteArrayInputStream(new byte[1]), 1);
    Manifest manifest =
        new Manifest(SOURCE, "n", 1, generation, 0, 0, 1, -1, List.of(file), "", Map.of(), 0);
    StoredManifest stored =
        new StoredManifest(
            SOURCE,
            1,
            manifest,
            Map.of(file.name(), new StoredManifest.Place(1, object(generation).object(), 0)));
    points.put(new StoredPoints.Point(stored, Json.mapper().createObjectNode()));
    return stored;
  }

  @Test
  void objectsOfARestoredIndexAreKeptUntilItNoLongerNeedsThem() throws Exception {
    ManifestLog manifests = new ManifestLog(world.manifests());
    GarbageRun garbage =
        new GarbageRun(
            SOURCE,
            access,
            new TermClaim(manifests, manifests.claim(SOURCE, 1)),
            InstantSource.system());
    remote.announce(restored, upload(1).asBeginningOf(NodeWorld.INDEX_UUID));

    garbage.run(upload(2));
    garbage.run(upload(3));
    assertThat(store.exists(object(1))).as("of the restored index").isTrue();
    assertThat(store.exists(object(2))).as("of nobody").isFalse();

    store.delete(points.keys(NodeWorld.SHARD).getFirst());
    garbage.run(upload(4));
    assertThat(store.exists(object(1))).isFalse();
  }

  @Test
  void aRestoredIndexWritesItsFirstPointOnce() throws Exception {
    StoredManifest beginning = upload(1).asBeginningOf(NodeWorld.INDEX_UUID);

    remote.announce(restored, beginning);
    remote.announce(restored, beginning);

    assertThat(points.keys(NodeWorld.SHARD)).hasSize(1);
    assertThat(points.read(points.keys(NodeWorld.SHARD).getFirst()).stored()).isEqualTo(beginning);
  }
}
