package io.varve.shard.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterEvent;
import io.varve.events.StoredManifest;
import io.varve.host.AppendFaults;
import io.varve.host.NodeWorld;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.StoredPoints;
import io.varve.store.TransferBudget;
import io.varve.store.UploadPlan;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreUploadsTest {

  @TempDir Path folder;
  private final InMemorySegmentStore store = new InMemorySegmentStore();
  private final Semaphore mayBePut = new Semaphore(0);
  private NodeWorld world;
  private PrimaryCopy primary;

  @BeforeEach
  void start() throws Exception {
    world = new NodeWorld(folder);
    world.createIndex(
        Map.of("index.refresh_interval", "-1", "index.remote_store.enabled", "true"), "{}");
    store.faults(
        new InMemorySegmentStore.Faults() {
          @Override
          public void before(String operation, SegmentStore.Key key) {
            if (operation.equals("put") && key.kind() == SegmentStore.Kind.MANIFESTS) {
              mayBePut.acquireUninterruptibly();
            }
          }
        });
    StoreAccess access =
        new StoreAccess(
            "s",
            store,
            new StoreAccess.Settings(UploadPlan.Limits.DEFAULT, 0, StoreAccess.Retention.DEFAULT),
            TransferBudget.UNLIMITED,
            new Semaphore(4));
    RemoteStore remote =
        new RemoteStore(
            access,
            (_, _, _, _) -> {
              throw new AssertionError("the log has all");
            });
    primary = new PrimaryCopy(world.copy("n1"), 1, new WritePressure(1 << 20), remote);
  }

  @AfterEach
  void end() {
    store.faults(InMemorySegmentStore.Faults.NONE);
    mayBePut.release(1_000);
    primary.close();
    world.close();
  }

  private @Nullable StoredManifest stored() throws LogException {
    ManifestLog log = new ManifestLog(world.manifests());
    return log.before(log.partition().endOffset(), true).stored();
  }

  @Test
  void theRecordOfAStoredGenerationIsAppendedLaterEvenIfTheIndexHasChanged() throws Exception {
    primary.start();
    await().atMost(Duration.ofMinutes(1)).until(mayBePut::hasQueuedThreads);
    world.appends.ofManifests = AppendFaults.Fate.LOST;
    mayBePut.release();
    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> primary.stats().kept().uploads().attempts().failed() > 0);
    int objects = store.size();
    world.happened(
        new ClusterEvent.MappingChanged(
            NodeWorld.INDEX_UUID, 2, "{\"properties\":{\"year\":{\"type\":\"long\"}}}"));

    world.appends.ofManifests = AppendFaults.Fate.ACCEPTED;
    mayBePut.release(1_000);

    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> stored() != null && stored().manifest() != null);
    assertThat(store.size()).as("nothing was sent twice").isEqualTo(objects);
    assertThat(new StoredPoints(store).keys(NodeWorld.SHARD)).hasSize(1);
  }
}
