package io.varve.replication.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.SearchView;
import io.varve.events.Manifest;
import io.varve.events.StoredManifest;
import io.varve.host.ShardCopy;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.TransferBudget;
import io.varve.store.UploadPlan;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.apache.lucene.search.MatchAllDocsQuery;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A primary and its replicas with a segment store in memory. */
abstract class RemoteStoreWorld {
  @TempDir Path data;
  final InMemorySegmentStore store = new InMemorySegmentStore();
  ReplicaWorld world;

  @BeforeEach
  void open() throws Exception {
    world =
        new ReplicaWorld(
            data,
            Map.of(
                "index.refresh_interval", "-1",
                "index.remote_store.enabled", "true",
                "index.log.retention", "auto"));
    give(StoreAccess.Retention.DEFAULT);
    world.openPrimary();
  }

  void give(StoreAccess.Retention retention) {
    world.transfers.give(
        new StoreAccess(
            "s",
            store,
            new StoreAccess.Settings(UploadPlan.Limits.DEFAULT, 0, retention),
            TransferBudget.UNLIMITED,
            new Semaphore(4)));
  }

  @AfterEach
  void close() throws Exception {
    store.faults(InMemorySegmentStore.Faults.NONE);
    world.close();
  }

  @Nullable StoredManifest stored() throws LogException {
    ManifestLog manifests = world.manifests();
    return manifests.before(manifests.partition().endOffset(), true).stored();
  }

  Manifest awaitStored() throws LogException {
    Manifest newest = world.newestManifest();
    Awaitility.await()
        .atMost(ReplicaWorld.SOON)
        .pollInterval(Duration.ofMillis(10))
        .untilAsserted(() -> assertThat(stored().manifest()).isEqualTo(newest));
    return newest;
  }

  static long hits(ShardCopy copy) throws IOException {
    try (SearchView view = copy.searchable().orElseThrow().acquireView()) {
      return view.searcher().count(MatchAllDocsQuery.INSTANCE);
    }
  }
}
