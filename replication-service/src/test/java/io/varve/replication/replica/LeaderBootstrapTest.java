package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.SHARD;
import static io.varve.replication.replica.ReplicaWorld.SOON;
import static io.varve.replication.replica.ReplicaWorld.hits;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.ClusterSettings;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.StoredManifest;
import io.varve.host.apply.Origins;
import io.varve.rpc.BootstrapWire;
import io.varve.rpc.ReplicateWire;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.store.InMemorySegmentStore;
import io.varve.store.SegmentStore;
import io.varve.store.StoreAccess;
import io.varve.store.TransferBudget;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A follower's shard that begins with its leader's segments, which a real primary serves. */
@Timeout(300)
class LeaderBootstrapTest extends LeaderBootstrapWorld {
  private PrimaryCopy begun(String nodeId, Manifest leader) throws Exception {
    PrimaryCopy follower = follower(nodeId);
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);
    var _ = follower.bootstrap(ASSIGNMENT, plan(leader));
    started.get(60, TimeUnit.SECONDS);
    return follower;
  }

  @Test
  void itHoldsWhatTheManifestHoldsAndGoesOnAtItsPositionInTheLeadersLog() throws Exception {
    world.index(0, 300);
    world.delete(0, 20);
    world.refresh();
    Manifest leader = world.newestManifest();

    PrimaryCopy follower = begun("n3", leader);

    assertThat(hits(follower)).isEqualTo(280);
    ReplicateWire.Cursor cursor = follower.cursor();
    assertThat(cursor.lastOriginOffset()).isEqualTo(leader.nextOffset() - 1);
    assertThat(cursor.lastOriginTerm()).isEqualTo(leader.fenceTerm());
    assertThat(cursor.nextSeqNo()).isEqualTo(leader.nextSeqNo()).isEqualTo(320);
    assertThat(cursor.lastOriginDigest()).isEqualTo(DIGEST);

    var _ = follower.replicate(ASSIGNMENT, List.of(pulled(320, "x"), pulled(321, "y")), SOON);
    assertThat(follower.refresh(SOON).visibleSeqNo()).isEqualTo(321);
    assertThat(hits(follower)).isEqualTo(282);
  }

  @Test
  void aPrimaryThatStartsAgainOrElsewhereHoldsTheSame() throws Exception {
    world.index(0, 50);
    world.refresh();
    PrimaryCopy follower = begun("n3", world.newestManifest());
    var _ = follower.replicate(ASSIGNMENT, List.of(pulled(50, "x")), SOON);
    follower.close();

    PrimaryCopy again = follower("n3");
    again.start();

    assertThat(again.bootstrap()).isEqualTo(BootstrapWire.Status.BEGUN);
    assertThat(hits(again)).isEqualTo(51);
    assertThat(again.cursor().lastOriginOffset()).isEqualTo(51);
    assertThat(world.operationsOf(FOLLOWER).startOffset())
        .as("a copy with an empty folder must not replay from the first record on")
        .isPositive();
  }

  @Test
  void aDocumentReplicaCopiesThePrimaryAndThenFollowsTheLog() throws Exception {
    world.index(0, 50);
    world.refresh();
    DocumentReplicaCopy early =
        new DocumentReplicaCopy(
            context("n4", "r1"), new SegmentPeerRecovery(world.transfers.now()));
    followers.add(early);
    CompletableFuture<Void> replica = start(early);
    PrimaryCopy follower = follower("n3");
    world.host("n3", follower);
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);
    assertThat(replica).as("nothing is decided yet").isNotDone();

    var _ = follower.bootstrap(ASSIGNMENT, plan(world.newestManifest()));
    started.get(60, TimeUnit.SECONDS);
    replica.get(60, TimeUnit.SECONDS);

    var _ = follower.replicate(ASSIGNMENT, List.of(pulled(50, "x")), SOON);
    assertThat(early.readable().await(50, SOON)).isTrue();
  }

  @Test
  void aBreakInTheMiddleIsToldAndTheNextPlanFetchesOnlyTheRest() throws Exception {
    world.transfers.askForEachFileAlone();
    world.indexLong(0, 200);
    world.refresh();
    world.indexLong(200, 400);
    world.refresh();
    PrimaryCopy follower = follower("n3");
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);
    AtomicBoolean broken = new AtomicBoolean();
    world.server.gate =
        (method, _) -> {
          if (method.equals("GET files") && !world.server.filesAsked.isEmpty()) {
            broken.set(true);
            throw new IOException("the link is cut");
          }
        };
    var _ = follower.bootstrap(ASSIGNMENT, plan(world.newestManifest()));
    Awaitility.await().atMost(SOON).until(() -> !follower.bootstrap().reason().isEmpty());
    assertThat(broken).isTrue();
    assertThat(follower.bootstrap().state()).isEqualTo(BootstrapWire.State.AWAITED);
    world.server.gate = (_, _) -> {};

    var _ = follower.bootstrap(ASSIGNMENT, plan(world.newestManifest()));

    started.get(60, TimeUnit.SECONDS);
    assertThat(world.server.filesAsked).isNotEmpty().doesNotHaveDuplicates();
    assertThat(hits(follower)).isEqualTo(400);
  }

  @Test
  void filesOfTheLeadersSegmentStoreAreNotAskedOfItsNodes() throws Exception {
    InMemorySegmentStore store = new InMemorySegmentStore();
    world.transfers.give(
        new StoreAccess(
            "s", store, StoreAccess.Settings.DEFAULT, TransferBudget.UNLIMITED, new Semaphore(4)));
    world.index(0, 80);
    world.refresh();
    Manifest leader = world.newestManifest();
    Map<String, StoredManifest.Place> places = new HashMap<>();
    for (SegmentFile file : leader.files()) {
      SegmentStore.Key key = SegmentStore.Key.of(SHARD, 1, file);
      try (InputStream in = Files.newInputStream(world.indexFolder("n1").resolve(file.name()))) {
        store.put(key, in, file.lengthBytes());
      }
      places.put(file.name(), new StoredManifest.Place(1, key.object(), 0));
    }
    StoredManifest stored = new StoredManifest(SHARD, 1, leader, places);
    PrimaryCopy follower = follower("n3");
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);

    var _ = follower.bootstrap(ASSIGNMENT, new BootstrapWire.Plan(leader, stored, null, DIGEST));

    started.get(60, TimeUnit.SECONDS);
    assertThat(hits(follower)).isEqualTo(80);
    assertThat(world.server.filesAsked).isEmpty();
  }

  @Test
  void theRateOfTheClusterSettingIsKeptAlsoByARunningCopy() throws Exception {
    world.transfers.takeOwnBudget();
    world.transfers.askForEachFileAlone();
    world.clusterSettings(Map.of(ClusterSettings.BOOTSTRAP_RATE, "1b"));
    world.followLimits();
    world.indexLong(0, 200);
    world.refresh();
    PrimaryCopy follower = follower("n3");
    CompletableFuture<Void> started = start(follower);
    await(follower, BootstrapWire.State.AWAITED);
    var _ = follower.bootstrap(ASSIGNMENT, plan(world.newestManifest()));
    await(follower, BootstrapWire.State.COPYING);
    assertThat(follower.bootstrap().missingBytes()).isPositive();
    assertThat(started).isNotDone();

    world.clusterSettings(Map.of(ClusterSettings.BOOTSTRAP_RATE, "-1"));

    started.get(60, TimeUnit.SECONDS);
    assertThat(hits(follower)).isEqualTo(200);
  }

  @Test
  void theOriginsOfTheLeaderItselfAreNotTakenOver() throws Exception {
    world.index(0, 5);
    world.refresh();
    Manifest plain = world.newestManifest();
    Map<String, String> chained =
        Map.of("origin_offset", "9000", "origin_term", "8", "origin_digest", "9000:1");
    Manifest leader =
        new Manifest(
            plain.shard(),
            plain.nodeId(),
            plain.term(),
            plain.generation(),
            plain.nextOffset(),
            plain.nextSeqNo(),
            plain.fenceTerm(),
            plain.visibleSeqNo(),
            plain.files(),
            plain.segmentInfos(),
            chained,
            plain.createdMillis());

    Manifest beginning = Origins.beginning(FOLLOWER, leader, -1);

    assertThat(beginning.commitData())
        .isEqualTo(
            Map.of(
                "origin_offset",
                Long.toString(leader.nextOffset() - 1),
                "origin_term",
                Long.toString(leader.fenceTerm())));
    assertThat(beginning.nextOffset()).isZero();
    assertThat(beginning.nextSeqNo()).isEqualTo(5);
  }
}
