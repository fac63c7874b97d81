package io.varve.testkit.sim;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterFold;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.FeatureLevels;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The indices of a world, and the states that the cluster log implies when it is read from its
 * first record. A deleted index is created again under the same name with another UUID.
 */
final class Indices {

  private static final String MAPPING = "{\"properties\":{\"v\":{\"type\":\"keyword\"}}}";

  private final World world;
  private final WorldShape shape;
  private final ClusterFold wholeClusterLog = new ClusterFold();
  private final Map<String, ClusterState> clusterStates =
      new HashMap<>(Map.of(point(ClusterState.EMPTY), ClusterState.EMPTY));
  private final Set<String> deletedValues = new HashSet<>();
  private ShardId leaderShard = World.LEADER;

  Indices(World world) {
    this.world = world;
    this.shape = world.shape();
  }

  /** The shards of the existing indices. */
  List<ShardId> shards() {
    return shape.follower() ? List.of(leaderShard, World.FOLLOWER) : List.of(leaderShard);
  }

  /** The shard that clients write to. It changes when its index is deleted and created again. */
  ShardId leaderShard() {
    return leaderShard;
  }

  /** Whether the operation was written to an index before that index was deleted. */
  boolean writtenBeforeTheDeletion(Operation operation) {
    Write write = world.clients().writeOf(operation);
    return write != null && deletedValues.contains(write.value());
  }

  private void leaderIsDeleted() {
    world.acceptedLog(leaderShard).accepted().stream()
        .map(accepted -> world.clients().writeOf(accepted.operation()))
        .filter(Objects::nonNull)
        .forEach(write -> deletedValues.add(write.value()));
    if (!world.mutated(Mutation.REUSE_THE_UUID_OF_A_DELETED_INDEX)) {
      leaderShard = new ShardId(leaderShard.indexUuid() + "-again", 0);
    }
    world.note("the index is deleted, and created again as " + leaderShard);
  }

  /** The events that the cluster log must start with and lacks. */
  List<ClusterEvent> founding(ClusterState state) {
    List<ClusterEvent> events = new ArrayList<>();
    if (state.version() == 0) {
      events.add(new ClusterEvent.ClusterFormed("simulated", "cluster-uuid"));
      events.add(new ClusterEvent.FeatureLevelRaised(FeatureLevels.NEWEST));
    }
    if (state.index(leaderShard.indexUuid()).isEmpty()) {
      events.add(created("leader", leaderShard, shape.leaderType(), shape.searchReplicas(), null));
    }
    if (shape.follower() && state.index(World.FOLLOWER.indexUuid()).isEmpty()) {
      events.add(
          created(
              "follower",
              World.FOLLOWER,
              shape.followerType(),
              0,
              new IndexMetadata.Follow("remote", "leader", "leader", null, 0)));
    }
    return events;
  }

  private ClusterEvent created(
      String name,
      ShardId shard,
      String type,
      int forSearch,
      IndexMetadata.@Nullable Follow follow) {
    List<CopyRouting> copies = new ArrayList<>();
    copies.add(CopyRouting.unassigned(world.newId(), true, "new"));
    for (int i = 0; i < shape.replicas(); i++) {
      copies.add(CopyRouting.unassigned(world.newId(), false, "new"));
    }
    for (int i = 0; i < forSearch; i++) {
      copies.add(CopyRouting.unassignedForSearch(world.newId(), "new"));
    }
    return new ClusterEvent.IndexCreated(
        new IndexMetadata(
            name,
            shard.indexUuid(),
            0,
            settings(type, forSearch),
            1,
            MAPPING,
            1,
            follow,
            List.of(new ShardRouting(shard, 0, copies))));
  }

  private Map<String, String> settings(String type, int forSearch) {
    return Map.of(
        "index.number_of_replicas",
        Integer.toString(shape.replicas()),
        "index.number_of_search_replicas",
        Integer.toString(forSearch),
        "index.replication.type",
        type,
        "index.remote_store.enabled",
        Boolean.toString(shape.remoteStore()),
        "index.log.retention",
        shape.logRetention(),
        "index.log.retention.grace",
        "500ms",
        "index.soft_deletes.retention_lease.period",
        "30d",
        "index.unassigned.node_left.delayed_timeout",
        "700ms");
  }

  /** Called when a record has landed in the cluster log. */
  void clusterLogLanded(StoredRecord stored) {
    IndexMetadata before = leaderIndex();
    wholeClusterLog.add(stored);
    IndexMetadata now = leaderIndex();
    clusterStates.put(point(wholeClusterLog.state()), wholeClusterLog.state());
    if (before != null && now == null) {
      leaderIsDeleted();
    } else if (before != null && now != null && !before.mapping().equals(now.mapping())) {
      world.note("the mapping has new fields");
    }
  }

  private @Nullable IndexMetadata leaderIndex() {
    return wholeClusterLog.state().index(leaderShard.indexUuid()).orElse(null);
  }

  /** The state at the same position of the cluster log, read from its first record. */
  @Nullable ClusterState stateAt(ClusterState state) {
    return clusterStates.get(point(state));
  }

  private static String point(ClusterState state) {
    return state.version() + "/" + state.leaderTerm();
  }
}
