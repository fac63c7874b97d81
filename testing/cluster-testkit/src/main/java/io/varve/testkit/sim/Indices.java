package io.varve.testkit.sim;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterFold;
import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.NodeInfo;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.FollowerMetadata;
import io.varve.events.Json;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The indices of a world, and the states that the cluster log implies when it is read from its
 * first record. A deleted index is created again under the same name with another UUID.
 */
final class Indices {

  private static final String MAPPING = "{\"properties\":{\"v\":{\"type\":\"keyword\"}}}";

  /** The name of the index that clients write to. */
  static final String LEADER = "leader";

  /** The name of the following index. */
  static final String FOLLOWER = "follower";

  /** The alias of the followed cluster. */
  static final String REMOTE = "remote";

  private static final String SNAPSHOT_RECORDS = "12";
  private static final long REQUEST_MICROS = 20_000;
  private static final int MOST_DELAY_MICROS = 2_000_000;

  private final World world;
  private final WorldShape shape;
  private final ClusterFold wholeClusterLog = new ClusterFold();
  private final Map<String, ClusterState> clusterStates =
      new HashMap<>(Map.of(point(ClusterState.EMPTY), ClusterState.EMPTY));
  private final Set<String> deletedValues = new HashSet<>();
  private final SimReplacements replacements;
  private final long followsFromMicros;
  private ShardId leaderShard = World.LEADER;
  private boolean followerForgotten;
  private int successors;

  Indices(World world) {
    this.world = world;
    this.shape = world.shape();
    this.replacements = new SimReplacements(world);
    this.followsFromMicros = shape.follower() ? followsFromMicros(world.random()) : 0;
  }

  /** A leader that is followed late may have truncated its log before. */
  private static long followsFromMicros(Random random) {
    return random.nextBoolean() ? 0 : random.nextInt(MOST_DELAY_MICROS);
  }

  /** The shards of the existing indices, and the follower's before it exists. */
  List<ShardId> shards() {
    if (!shape.follower()) {
      return List.of(leaderShard);
    }
    List<ShardId> shards = new ArrayList<>(List.of(leaderShard));
    wholeClusterLog.state().indices().values().stream()
        .map(index -> new ShardId(index.uuid(), 0))
        .filter(World::isFollower)
        .forEach(shards::add);
    if (shards.size() == 1) {
      shards.add(World.FOLLOWER);
    }
    return shards;
  }

  /** The shard of the index that has the follower's name. */
  ShardId followerShard() {
    IndexMetadata follower = wholeClusterLog.state().indices().get(FOLLOWER);
    return follower == null ? World.FOLLOWER : new ShardId(follower.uuid(), 0);
  }

  /** The uuid of an index that replaces the follower. */
  String newFollowerUuid() {
    return World.FOLLOWER.indexUuid() + "-" + ++successors;
  }

  /** The followed cluster has removed the lease of its follower. */
  boolean isFollowerForgotten() {
    return followerForgotten;
  }

  /** Removes the lease of the follower, as {@code forget_follower} does. */
  void forgetFollower(SimCoordinator leader) {
    followerForgotten = true;
    leader.execute(
        new ClusterCommand.EndLeases(
            leaderShard.indexUuid(), List.of(SimLease.holder(followerShard()))));
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
    world.logs().acceptedLog(leaderShard).accepted().stream()
        .map(accepted -> world.clients().writeOf(accepted.operation()))
        .filter(Objects::nonNull)
        .forEach(write -> deletedValues.add(write.value()));
    if (!world.mutated(Mutation.REUSE_THE_UUID_OF_A_DELETED_INDEX)) {
      leaderShard = new ShardId(leaderShard.indexUuid() + "-again", 0);
    }
    world.note("the index is deleted, and created again as " + leaderShard);
  }

  /**
   * Requests missing settings and indices, as users do. The settings cause frequent snapshots of
   * the cluster log, so that some processes start from a snapshot or must skip to one.
   */
  void requestMissing() {
    for (SimCoordinator coordinator : world.coordinators()) {
      if (coordinator.leads()) {
        requestMissing(coordinator);
      }
    }
    world.queue().after(REQUEST_MICROS, this::requestMissing);
  }

  private void requestMissing(SimCoordinator leader) {
    ClusterState state = leader.state();
    if (!state.persistentSettings().containsKey(ClusterSettings.SNAPSHOT_RECORDS)) {
      leader.execute(
          new ClusterCommand.UpdateClusterSettings(
              Map.of(ClusterSettings.SNAPSHOT_RECORDS, SNAPSHOT_RECORDS), Map.of()));
    }
    if (state.indices().get(LEADER) == null) {
      leader.execute(
          creation(LEADER, leaderShard, shape.searchReplicas(), null), leaderShard.indexUuid());
    }
    if (shape.follower()
        && world.queue().nowMicros() >= followsFromMicros
        && state.indices().get(FOLLOWER) == null) {
      leader.execute(
          creation(
              FOLLOWER,
              World.FOLLOWER,
              0,
              new ClusterCommand.Follow(REMOTE, LEADER, world.followed().indexUuid())),
          World.FOLLOWER.indexUuid());
    }
    FollowerMetadata.updates(state, REMOTE, leaders(state)).forEach(leader::execute);
    replacements.step(leader);
  }

  /** The state of the followed cluster: this one, or the one of {@link RemoteLeader}. */
  private ClusterState leaders(ClusterState own) {
    Optional<IndexMetadata> follower = own.index(World.FOLLOWER.indexUuid());
    return shape.followsARemote() && follower.isPresent()
        ? ClusterState.EMPTY.apply(new ClusterEvent.IndexCreated(remote(follower.get())))
        : own;
  }

  private static IndexMetadata remote(IndexMetadata follower) {
    return new IndexMetadata(
        "leader",
        RemoteLeader.SHARD.indexUuid(),
        0,
        follower.settings(),
        1,
        MAPPING,
        RemoteLeader.MAPPING_VERSION,
        null,
        follower.shards());
  }

  private ClusterCommand creation(
      String name, ShardId shard, int searchReplicas, ClusterCommand.@Nullable Follow follow) {
    return new ClusterCommand.CreateIndex(name, settings(shard, searchReplicas), MAPPING, follow);
  }

  private Map<String, @Nullable String> settings(ShardId shard, int searchReplicas) {
    return Map.of(
        "index.number_of_replicas",
        Integer.toString(shape.replicas()),
        "index.number_of_search_replicas",
        Integer.toString(searchReplicas),
        "index.replication.type",
        type(shard),
        "index.remote_store.enabled",
        Boolean.toString(hasStore(shard)),
        "index.log.retention",
        shape.logRetention(),
        "index.log.retention.grace",
        "500ms",
        "index.soft_deletes.retention_lease.period",
        "30d",
        "index.unassigned.node_left.delayed_timeout",
        SimLoop.SPEED * 700 + "ms",
        "index.replication.consistency",
        isStrong(shard) ? "strong" : "eventual",
        "index.replication.appeals",
        isFollowedStrongly() || shape.documents() % 2 == 0 ? "watermark" : "none");
  }

  /** Whether the following index gets only what all copies of its leader hold. */
  boolean isFollowedStrongly() {
    return shape.follower() && !shape.followsARemote() && isStrong(World.LEADER);
  }

  /** Whether followers of that leader get only what all of its copies hold. */
  boolean isFollowedStrongly(ShardId leader) {
    return leader.equals(World.LEADER) && isFollowedStrongly();
  }

  /** Whether gets of the shard return only what every started copy holds. */
  boolean isStrong(ShardId shard) {
    return shape.strong() && !World.isFollower(shard);
  }

  private String type(ShardId shard) {
    // An index that fails back keeps the former leader's type.
    return World.isFollower(shard) && !shard.equals(World.FAILED_BACK)
        ? shape.followerType()
        : shape.leaderType();
  }

  /** Whether replicas receive segments. */
  boolean isSegment(ShardId shard) {
    return type(shard).equals(IndexMetadata.SEGMENT);
  }

  /** Whether the files of the shard are kept in the segment store. */
  boolean hasStore(ShardId shard) {
    return shape.remoteStore() && isSegment(shard);
  }

  /** Called when a record was appended to the cluster log. */
  void clusterLogLanded(StoredRecord stored) {
    IndexMetadata before = leaderIndex();
    ShardId follower = followerShard();
    ClusterState former = wholeClusterLog.state();
    wholeClusterLog.add(stored);
    IndexMetadata now = leaderIndex();
    clusterStates.put(point(wholeClusterLog.state()), wholeClusterLog.state());
    if (before != null && now == null && !wholeClusterLog.state().indices().containsKey(LEADER)) {
      leaderIsDeleted();
    } else if (before != null && now != null && !before.mapping().equals(now.mapping())) {
      world.note("the mapping has new fields");
    }
    if (!follower.equals(followerShard())) {
      world.note(followerShard() + " replaces " + follower);
    }
    world.observe(new Observation.ClusterLogged(former, wholeClusterLog.state()));
    byte[] value = stored.record().value();
    if (value != null) {
      ClusterEvent event = Json.read(value, ClusterEvent.class);
      if (wholeClusterLog.state().version() > former.version()) {
        world.observe(new Observation.EventApplied(event, wholeClusterLog.state().featureLevel()));
      }
      observeRemoval(event, former);
    }
  }

  private void observeRemoval(ClusterEvent event, ClusterState former) {
    for (NodeInfo member : former.nodes().values()) {
      if (!wholeClusterLog.state().nodes().containsKey(member.nodeId())
          && event instanceof ClusterEvent.NodeLeft left) {
        world.observe(new Observation.Removed(member, left.reason()));
      }
    }
  }

  /** The state after the last record of the cluster log, which no process may have read yet. */
  ClusterState newest() {
    return wholeClusterLog.state();
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
