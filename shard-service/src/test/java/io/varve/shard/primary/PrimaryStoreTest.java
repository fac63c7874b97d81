package io.varve.shard.primary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.events.Manifest;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.StoredManifest;
import io.varve.host.CopyContext;
import io.varve.host.NodeWorld;
import io.varve.host.PeerRecovery;
import io.varve.host.RecoveryProgress;
import io.varve.host.log.ManifestLog;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import io.varve.shard.remote.RemoteStore;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.TransferBudget;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The start of a primary: the claim of its term, and the choice between the segment store and a
 * replay of the log. The folder is empty in all tests, so it reaches up to offset and seq_no 0.
 */
class PrimaryStoreTest {

  private static final long REPLAYED_SOONER = RecoverySchedule.MAX_REPLAYED_OPERATIONS;

  private static final long TERM = 3;

  @TempDir private Path data;
  private final List<StoredManifest> fetched = new ArrayList<>();
  private NodeWorld world;
  private @Nullable IOException storeFailure;

  @BeforeEach
  void start() throws Exception {
    world = new NodeWorld(data);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private PrimaryStore remoteBacked() {
    world.createIndex(Map.of("index.remote_store.enabled", "true"), "{}");
    return new PrimaryStore(world.copy("n1"), remoteStore());
  }

  private RemoteStore remoteStore() {
    StoreAccess access =
        new StoreAccess(
            "s",
            new InMemorySegmentStore(),
            StoreAccess.Settings.DEFAULT,
            TransferBudget.UNLIMITED,
            new Semaphore(1));
    return new RemoteStore(
        access,
        (_, _, target, _) -> {
          fetched.add(target);
          if (storeFailure != null) {
            throw storeFailure;
          }
          return CopyStats.Downloads.NONE;
        });
  }

  /** Returns whether the folder was filled. */
  private boolean prepare(PrimaryStore store) throws Exception {
    CopyContext copy = world.copy("n1");
    return new FolderRecovery(copy, store, PeerRecovery.NONE, new RecoveryProgress(copy, true))
        .run(new RecoverySchedule(store.isUsed(), false), TERM);
  }

  /** A primary of the previous term stored a manifest with that many operations. */
  private StoredManifest stored(long nextOffset, long nextSeqNo) throws Exception {
    Manifest manifest =
        new Manifest(
            NodeWorld.SHARD,
            "n0",
            TERM - 1,
            1,
            nextOffset,
            nextSeqNo,
            TERM - 1,
            nextSeqNo - 1,
            List.of(),
            "",
            Map.of(),
            0);
    StoredManifest stored = new StoredManifest(NodeWorld.SHARD, TERM - 1, manifest, Map.of());
    new ManifestLog(world.manifests()).append(stored);
    return stored;
  }

  private @Nullable StoredManifest newestStored() throws LogException {
    ManifestLog log = new ManifestLog(world.manifests());
    return log.before(log.partition().endOffset(), true).stored();
  }

  /** Writes operations to the log; the last record is the fence of the previous term. */
  private void operationsUpTo(long endOffset) throws Exception {
    byte[] bytes = "operation".getBytes(StandardCharsets.UTF_8);
    for (long offset = 0; offset < endOffset - 1; offset++) {
      Appends.await(world.operations(), RawRecord.keyed(bytes, bytes));
    }
    Appends.await(world.operations(), RecordHeader.fence(TERM - 1, "n0"));
  }

  @Test
  void anIndexThatIsNotRemoteBackedUsesNoStore() throws Exception {
    world.createIndex(Map.of(), "{}");
    try (PrimaryStore store = new PrimaryStore(world.copy("n1"), remoteStore())) {
      assertThat(prepare(store)).isFalse();
      assertThat(newestStored()).as("no term is claimed").isNull();
      assertThat(store.heldOffset()).isNull();
      assertThat(store.awaitStored(1, Duration.ZERO)).isTrue();
      assertThat(store.refusal()).isEmpty();
      assertThat(store.uploads()).isNull();
    }
    assertThat(fetched).isEmpty();
  }

  @Test
  void aRemoteBackedIndexIsRefusedByANodeWithoutAStore() {
    world.createIndex(Map.of("index.remote_store.enabled", "true"), "{}");

    assertThatThrownBy(() -> new PrimaryStore(world.copy("n1"), null))
        .isInstanceOfSatisfying(
            ApiException.class, refused -> assertThat(refused.error().status()).isEqualTo(503))
        .hasMessageContaining("no segment store");
  }

  @Test
  void theTermIsClaimedEvenIfNothingIsStored() throws Exception {
    try (PrimaryStore store = remoteBacked()) {
      assertThat(prepare(store)).isFalse();
      assertThat(newestStored()).isEqualTo(StoredManifest.claim(NodeWorld.SHARD, TERM, null));
      assertThat(store.heldOffset()).as("nothing is held before uploads start").isEqualTo(-1);
    }
    assertThat(fetched).isEmpty();
  }

  @Test
  void aHigherTermThatClaimedTheStoreEndsThePreparation() throws Exception {
    new ManifestLog(world.manifests()).claim(NodeWorld.SHARD, TERM + 1);
    try (PrimaryStore store = remoteBacked()) {
      assertThatThrownBy(() -> prepare(store))
          .isInstanceOf(LogException.Unavailable.class)
          .hasMessageContaining("term " + (TERM + 1) + " has claimed the segment store");
    }
  }

  @Test
  void fewOperationsAreReplayedFromTheLog() throws Exception {
    operationsUpTo(REPLAYED_SOONER);
    stored(REPLAYED_SOONER, REPLAYED_SOONER);
    try (PrimaryStore store = remoteBacked()) {
      assertThat(prepare(store)).isFalse();
    }
    assertThat(fetched).isEmpty();
  }

  @Test
  void manyOperationsAreFetchedFromTheStore() throws Exception {
    operationsUpTo(REPLAYED_SOONER + 1);
    StoredManifest stored = stored(REPLAYED_SOONER + 1, REPLAYED_SOONER + 1);
    try (PrimaryStore store = remoteBacked()) {
      assertThat(prepare(store)).isTrue();
    }
    assertThat(fetched).containsExactly(StoredManifest.claim(NodeWorld.SHARD, TERM, stored));
  }

  @Test
  void aStoreThatIsDownDelaysNoPrimaryThatCanReplayTheLog() throws Exception {
    operationsUpTo(REPLAYED_SOONER + 1);
    stored(REPLAYED_SOONER + 1, REPLAYED_SOONER + 1);
    storeFailure = new IOException("503 Slow Down");
    try (PrimaryStore store = remoteBacked()) {
      assertThat(prepare(store)).isFalse();
    }
    assertThat(fetched).hasSize(1);
  }

  @Test
  void operationsThatTheLogNoLongerHasAreFetchedHoweverFew() throws Exception {
    operationsUpTo(2);
    world.operations().truncateBefore(1);
    stored(2, 2);
    try (PrimaryStore store = remoteBacked()) {
      assertThat(prepare(store)).isTrue();
    }
    assertThat(fetched).hasSize(1);
  }

  @Test
  void aRestoredIndexBeginsWithOperationsThatItsLogNeverHad() throws Exception {
    stored(0, 2);
    try (PrimaryStore store = remoteBacked()) {
      assertThat(prepare(store)).isTrue();
    }
    assertThat(fetched).hasSize(1);
  }

  @Test
  void thePrimaryDoesNotOpenWithoutOperationsThatOnlyTheStoreHas() throws Exception {
    stored(0, 2);
    storeFailure = new IOException("503 Slow Down");
    try (PrimaryStore store = remoteBacked()) {
      assertThatThrownBy(() -> prepare(store))
          .as("no other copy has them")
          .isInstanceOf(IOException.class)
          .hasSuppressedException(storeFailure);
    }
  }
}
