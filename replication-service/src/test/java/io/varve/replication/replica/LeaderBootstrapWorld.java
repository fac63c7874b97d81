package io.varve.replication.replica;

import static io.varve.replication.replica.ReplicaWorld.SHARD;
import static io.varve.replication.replica.ReplicaWorld.SOON;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.FollowStatus;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.Feature;
import io.varve.events.Manifest;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.host.CopyContext;
import io.varve.host.ShardCopy;
import io.varve.rpc.BootstrapWire;
import io.varve.shard.primary.PrimaryCopy;
import io.varve.shard.primary.WritePressure;
import io.varve.shard.replicated.Rereplications;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A leader's shard, and followers that begin with its segments. */
abstract class LeaderBootstrapWorld {
  static final ShardId FOLLOWER = new ShardId("f1", 0);
  static final long ASSIGNMENT = 3;
  static final long DIGEST = 77;

  @TempDir Path data;

  final List<ShardCopy> followers = new ArrayList<>();
  ReplicaWorld world;
  long term;

  @BeforeEach
  void open() throws Exception {
    world = new ReplicaWorld(data, Map.of("index.refresh_interval", "-1"));
    world.openPrimary();
    world.happen(new ClusterEvent.NodeJoined(world.node("n3")));
    world.happen(new ClusterEvent.FeatureLevelRaised(Feature.FOLLOWER_BOOTSTRAP.since()));
    world.happen(
        new ClusterEvent.IndexCreated(
            new IndexMetadata(
                "copy",
                FOLLOWER.indexUuid(),
                0,
                Map.of("index.refresh_interval", "-1"),
                1,
                "{\"properties\":{\"title\":{\"type\":\"text\"},\"n\":{\"type\":\"long\"},"
                    + "\"noise\":{\"type\":\"binary\"},\"tag\":{\"type\":\"keyword\"}}}",
                1,
                new FollowRelation("east", "books", SHARD.indexUuid(), "f", ASSIGNMENT),
                List.of(
                    new ShardRouting(
                        FOLLOWER, 0, List.of(CopyRouting.unassigned("p", true, "new")))))));
    takeTheLeadersMapping();
  }

  /** Operations of the leader wait until the follower has its mapping. */
  void takeTheLeadersMapping() {
    world.happen(
        new ClusterEvent.FollowStatusChanged(
            FOLLOWER.indexUuid(), FollowStatus.NEW.withLeaderMappingVersion(1)));
  }

  @AfterEach
  void close() throws Exception {
    followers.forEach(ShardCopy::close);
    world.close();
  }

  CopyContext context(String nodeId, String copyId) throws Exception {
    CopyContext of = world.context(nodeId, copyId);
    Awaitility.await()
        .atMost(SOON)
        .until(() -> of.node().cluster().current().index(FOLLOWER.indexUuid()).isPresent());
    Path folder = Files.createDirectories(data.resolve(nodeId).resolve("shards/f1/0"));
    return new CopyContext(of.node(), FOLLOWER, copyId, folder, of.host());
  }

  PrimaryCopy follower(String nodeId) throws Exception {
    PrimaryCopy made =
        new PrimaryCopy(
            context(nodeId, "p-" + nodeId),
            ++term,
            new PrimaryCopy.OfNode(
                new WritePressure(1 << 28), new Rereplications(InstantSource.system())),
            null,
            new SegmentPeerRecovery(world.transfers.now()),
            new LeaderBootstrap(world.transfers.now()));
    followers.add(made);
    return made;
  }

  static CompletableFuture<Void> start(ShardCopy copy) {
    return CompletableFuture.runAsync(() -> {
      try {
        copy.start();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
  }

  static void await(PrimaryCopy follower, BootstrapWire.State state) {
    Awaitility.await().atMost(SOON).until(() -> follower.bootstrap().state() == state);
  }

  BootstrapWire.Plan plan(Manifest leader) {
    return new BootstrapWire.Plan(leader, null, world.server.url("n1"), DIGEST);
  }

  static Operation pulled(long seqNo, String id) {
    return new Operation(
        1,
        seqNo,
        1,
        1,
        id,
        null,
        "{\"title\":\"more\"}".getBytes(StandardCharsets.UTF_8),
        new Operation.Origin(seqNo + 1, 1, 5));
  }
}
