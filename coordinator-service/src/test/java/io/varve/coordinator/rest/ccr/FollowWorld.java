package io.varve.coordinator.rest.ccr;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.ShardRouting;
import io.varve.coordinator.rest.FakeCluster;
import io.varve.coordinator.rest.RestHarness;
import io.varve.events.Json;
import io.varve.events.ShardId;
import io.varve.rpc.ErrorBodies;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.PullerStats;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A cluster that follows another one, whose coordinator and pullers are an HTTP server. */
abstract class FollowWorld {
  static final String MAPPING = "{\"properties\":{\"title\":{\"type\":\"text\"}}}";

  RestHarness rest;
  RemoteCoordinator other;

  @BeforeEach
  void start() throws IOException {
    other = new RemoteCoordinator();
    other.answers("/", "{}".getBytes(StandardCharsets.UTF_8));
    other.answers("/_internal/cluster/export/books", Json.write(export()));
    other.answers("/_internal/cluster/export/closed", Json.write(exported(closedIndex())));
    other.answers("/_internal/cluster/export/red", Json.write(exported(redIndex())));
    other.answers(
        "/_internal/cluster/export/library",
        400,
        Json.write(
            ErrorBodies.response(
                ErrorBody.illegalArgument("cannot follow [library], because it is a ALIAS"),
                null)));
    other.answers(
        "/books/_ccr/forget_follower", "{\"_shards\":{}}".getBytes(StandardCharsets.UTF_8));
    rest = new RestHarness();
    rest.cluster.setting("cluster.remote.east.seeds", other.address());
  }

  @AfterEach
  void close() {
    rest.close();
    other.close();
  }

  static RemoteCluster.Export export() {
    IndexMetadata leader =
        new IndexMetadata(
            "books",
            "uuid-of-leader",
            0,
            Map.of(
                "index.number_of_routing_shards", "8",
                "index.refresh_interval", "5s",
                "index.codec", "zstd",
                "index.analysis.normalizer.lower.type", "custom",
                "index.mapping.total_fields.limit", "2000",
                "index.max_ngram_diff", "3"),
            1,
            MAPPING,
            1,
            null,
            shards("uuid-of-leader", 2));
    return exported(leader);
  }

  static RemoteCluster.Export exported(IndexMetadata leader) {
    return new RemoteCluster.Export("there", "c", "kafka:9092", leader, "ops", "id", null);
  }

  static IndexMetadata closedIndex() {
    return new IndexMetadata(
        "closed",
        "closed-uuid",
        0,
        Map.of(),
        1,
        "{}",
        1,
        null,
        shards("closed-uuid", 1),
        new IndexMetadata.Access(Map.of(), 1, true));
  }

  static IndexMetadata redIndex() {
    return new IndexMetadata(
        "red",
        "red-uuid",
        0,
        Map.of(),
        1,
        "{}",
        1,
        null,
        List.of(
            new ShardRouting(
                new ShardId("red-uuid", 0),
                0,
                List.of(CopyRouting.unassigned("c", true, "INDEX_CREATED")))));
  }

  static List<ShardRouting> shards(String uuid, int count) {
    return IntStream.range(0, count)
        .mapToObj(number ->
            new ShardRouting(
                new ShardId(uuid, number),
                0,
                List.of(
                    new CopyRouting(
                        "c" + number,
                        true,
                        CopyRouting.State.STARTED,
                        FakeCluster.PRIMARY_NODE,
                        ""))))
        .toList();
  }

  void follower(String name, int shards) {
    follower(name, shards, new FollowRelation("east", "books", "uuid-of-leader", "puller", 1));
  }

  void follower(String name, int shards, FollowRelation follow) {
    rest.cluster.change(state ->
        state.apply(
            new ClusterEvent.IndexCreated(
                new IndexMetadata(
                    name,
                    name + "-uuid",
                    0,
                    Map.of(),
                    1,
                    "{}",
                    1,
                    follow,
                    shards(name + "-uuid", shards)))));
  }

  static PullerStats puller(String index, int shard, long leader, long follower) {
    return new PullerStats(
        index + "-uuid",
        shard,
        "PULLING",
        leader,
        leader,
        follower,
        follower,
        leader,
        11,
        12,
        13,
        14,
        15,
        16,
        17,
        18,
        19,
        20,
        21,
        "late",
        new PullerStats.Activity(31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41),
        null);
  }

  /** The same puller, whose follower refuses an operation. */
  static PullerStats refusing(PullerStats puller, long leaderOffset, long seqNo) {
    return new PullerStats(
        puller.indexUuid(),
        puller.shardId(),
        "REFUSED",
        puller.leaderGlobalCheckpoint(),
        puller.leaderMaxSeqNo(),
        puller.followerGlobalCheckpoint(),
        puller.followerMaxSeqNo(),
        puller.lastRequestedSeqNo(),
        puller.operationsRead(),
        puller.operationsWritten(),
        puller.bytesRead(),
        puller.successfulReadRequests(),
        puller.successfulWriteRequests(),
        puller.failedWriteRequests(),
        puller.followerMappingVersion(),
        puller.leaderLogEndOffset(),
        puller.leaderReadOffset(),
        puller.lagMillis(),
        puller.timeSinceLastReadMillis(),
        "400 mapper_parsing_exception",
        puller.activity(),
        new PullerStats.Refused(leaderOffset, seqNo));
  }

  void pullingNode(String nodeId, String url) {
    rest.cluster.change(state -> {
      Map<String, NodeInfo> nodes = new TreeMap<>(state.nodes());
      nodes.put(nodeId, new NodeInfo(nodeId, nodeId, "i", Set.of(NodeInfo.CCR), url));
      return FakeCluster.copy(state, nodes, state.indices());
    });
  }

  static FollowRelation paused() {
    return new FollowRelation("east", "books", "uuid-of-leader", null, 2, null, true);
  }
}
