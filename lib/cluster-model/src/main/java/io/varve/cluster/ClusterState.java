package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.varve.events.Feature;
import io.varve.events.FeatureLevels;
import io.varve.events.ShardId;
import io.varve.events.Since;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The fold of all accepted cluster events. Every node holds one; states of the same version are
 * equal.
 *
 * @param version number of events applied; event n (from 0) leads to version n + 1
 * @param leaderTerm the newest fence of the cluster log, 0 before the first
 * @param nodes the current members, by node id
 * @param indices by name
 * @param featureLevel the feature level of formats that may be written; see {@link FeatureLevels}
 * @param autoFollow auto-follow patterns, by name
 * @param memberSince by node id, the version at which the present process of a member joined last;
 *     unknown if that was below the level of {@link Feature#MEMBER_SINCE}
 */
public record ClusterState(
    String clusterName,
    String clusterUuid,
    long version,
    long leaderTerm,
    String leaderNodeId,
    Map<String, NodeInfo> nodes,
    Map<String, IndexMetadata> indices,
    Map<String, String> persistentSettings,
    Map<String, String> transientSettings,
    Templates templates,
    @JsonSetter(nulls = Nulls.AS_EMPTY) int featureLevel,
    @Since(2) @JsonSetter(nulls = Nulls.AS_EMPTY) @JsonInclude(JsonInclude.Include.NON_EMPTY)
        Map<String, AutoFollowPattern> autoFollow,
    @Since(3) @JsonSetter(nulls = Nulls.AS_EMPTY) @JsonInclude(JsonInclude.Include.NON_EMPTY)
        Map<String, Long> memberSince) {

  public static final ClusterState EMPTY =
      new ClusterState("", "_na_", 0, 0, "", Map.of(), Map.of(), Map.of(), Map.of());

  public ClusterState {
    nodes = SharedMap.of(nodes);
    indices = IndexTable.of(indices);
    memberSince = SharedMap.of(memberSince);
    featureLevel = Math.max(FeatureLevels.FIRST, featureLevel);
  }

  /** A state without templates, at the first feature level. */
  public ClusterState(
      String clusterName,
      String clusterUuid,
      long version,
      long leaderTerm,
      String leaderNodeId,
      Map<String, NodeInfo> nodes,
      Map<String, IndexMetadata> indices,
      Map<String, String> persistentSettings,
      Map<String, String> transientSettings) {
    this(
        clusterName,
        clusterUuid,
        version,
        leaderTerm,
        leaderNodeId,
        nodes,
        indices,
        persistentSettings,
        transientSettings,
        Templates.NONE,
        FeatureLevels.FIRST,
        Map.of(),
        Map.of());
  }

  /** This state after the leader's fence was accepted. */
  public ClusterState ledBy(String nodeId, long term) {
    return at(version, term, nodeId);
  }

  public ClusterState apply(ClusterEvent event) {
    ClusterState next =
        switch (event) {
          case ClusterEvent.ClusterFormed e -> formed(e);
          case ClusterEvent.NodeJoined e -> joined(e.node());
          case ClusterEvent.NodeLeft e -> left(e.nodeId());
          case ClusterEvent.IndexCreated e -> withIndices(table().with(e.index()));
          case ClusterEvent.IndexDeleted e ->
              index(e.indexUuid()).map(i -> withIndices(table().without(i.name()))).orElse(this);
          case ClusterEvent.IndexClosed e -> change(e.indexUuid(), IndexMetadata::asClosed);
          case ClusterEvent.IndexOpened e -> change(e.indexUuid(), IndexMetadata::asOpened);
          case ClusterEvent.IndexRolledOver e ->
              withIndices(table().with(e.index())).withAliases(e.aliases());
          case ClusterEvent.AliasesChanged e -> withAliases(e);
          case ClusterEvent.TemplatesChanged e -> withTemplates(templates.with(e));
          case ClusterEvent.MappingChanged e ->
              change(e.indexUuid(), i -> i.withMapping(e.mapping(), e.mappingVersion()));
          case ClusterEvent.IndexSettingsChanged e ->
              change(e.indexUuid(), i -> i.withSettings(e.changes(), e.settingsVersion()));
          case ClusterEvent.ClusterSettingsChanged e -> withSettings(e);
          case ClusterEvent.PrimaryAssigned e ->
              change(e.shard(), s -> s.primaryAssigned(e.copyId(), e.nodeId(), e.term()));
          case ClusterEvent.ReplicaAssigned e ->
              change(
                  e.shard(),
                  s -> s.withCopy(e.formerCopyId(), c -> c.assignedTo(e.copyId(), e.nodeId())));
          case ClusterEvent.ReplicaPromoted e ->
              change(e.shard(), s -> s.promoted(e.copyId(), e.term(), e.reason()));
          case ClusterEvent.CopyStarted e ->
              change(e.shard(), s -> s.started(e.copyId(), e.term()));
          case ClusterEvent.CopyUnassigned e ->
              change(e.shard(), s -> s.unassigned(e.copyId(), e.reason()));
          case ClusterEvent.CopiesChanged e -> change(e.shard(), s -> s.withCopies(e.copies()));
          case ClusterEvent.RelocationStarted e ->
              change(e.shard(), s -> s.relocating(e.copyId(), e.targetCopyId(), e.nodeId()));
          case ClusterEvent.HandOverStarted e ->
              change(e.shard(), s -> s.handingOver(e.targetCopyId(), e.term()));
          case ClusterEvent.RelocationFinished e ->
              change(e.shard(), s -> s.relocated(e.targetCopyId()));
          case ClusterEvent.RelocationCancelled e ->
              change(e.shard(), s -> s.stayed(e.targetCopyId(), e.term()));
          case ClusterEvent.WritersReleased e ->
              change(e.indexUuid(), i -> i.withShards(ShardRouting::withoutWriters));
          case ClusterEvent.FollowAssigned e ->
              changeFollow(e.indexUuid(), follow -> follow.assignedTo(e.nodeId(), e.assignment()));
          case ClusterEvent.FollowChanged e ->
              change(e.indexUuid(), i -> i.withFollow(e.follow()).withFork(e.fork()));
          case ClusterEvent.ShardForked e ->
              change(e.shard().indexUuid(), i -> i.forked(e.shard().number(), e.place()));
          case ClusterEvent.ShardRevived e ->
              change(e.shard(), s -> s.revived(e.copyId(), e.nodeId(), e.revival()));
          case ClusterEvent.AutoFollowChanged e -> withAutoFollow(e.patterns());
          case ClusterEvent.AutoFollowHandled e -> handled(e);
          case ClusterEvent.LeasesChanged e -> withLeases(e.changes());
          case ClusterEvent.FollowerReplaced e -> withIndices(Replacement.swapped(this, e));
          case ClusterEvent.FollowStatusChanged e ->
              changeFollow(e.indexUuid(), follow -> follow.withStatus(e.status()));
          case ClusterEvent.OperationSkipped e ->
              changeFollow(e.shard().indexUuid(), follow -> skipping(follow, e));
          case ClusterEvent.Together e -> afterAll(e.events());
          case ClusterEvent.FeatureLevelRaised e -> raisedTo(e.featureLevel());
          case ClusterEvent.SnapshotPart _ -> this;
        };
    return next.at(version + 1);
  }

  private ClusterState afterAll(List<ClusterEvent> events) {
    ClusterState next = this;
    for (ClusterEvent event : events) {
      next = next.apply(event).at(version);
    }
    return next;
  }

  private ClusterState changeFollow(String uuid, UnaryOperator<FollowRelation> change) {
    return change(
        uuid,
        index -> {
          FollowRelation follow = index.follow();
          return follow == null ? index : index.withFollow(change.apply(follow));
        });
  }

  private static FollowRelation skipping(
      FollowRelation follow, ClusterEvent.OperationSkipped event) {
    return follow.withStatus(
        follow
            .currentStatus()
            .skipping(event.shard().number(), event.leaderOffset(), event.seqNo()));
  }

  private ClusterState joined(NodeInfo node) {
    NodeInfo known = nodes.get(node.nodeId());
    SharedMap<NodeInfo> members = SharedMap.of(nodes).with(node.nodeId(), node);
    if (known != null && known.incarnation().equals(node.incarnation())) {
      return withNodes(members);
    }
    Map<String, Long> since =
        has(Feature.MEMBER_SINCE)
            ? SharedMap.of(memberSince).with(node.nodeId(), version + 1)
            : memberSince;
    IndexTable restarted = table();
    for (IndexMetadata index : indices.values()) {
      restarted = restarted.with(index.restartedOn(node.nodeId()));
    }
    return with(members, since, restarted);
  }

  private ClusterState left(String nodeId) {
    return with(
        SharedMap.of(nodes).without(nodeId), SharedMap.of(memberSince).without(nodeId), indices);
  }

  public Optional<NodeInfo> node(String nodeId) {
    return Optional.ofNullable(nodes.get(nodeId));
  }

  /** Whether the copy is active: started, and on a current member. */
  public boolean active(CopyRouting copy) {
    return copy.started() && nodes.containsKey(copy.nodeId());
  }

  /** Whether another copy that writes wait for is active. */
  public boolean othersServe(ShardRouting shard, String copyId) {
    return shard.writeCopies().stream()
        .anyMatch(copy -> !copy.copyId().equals(copyId) && active(copy));
  }

  /** The index with this uuid. */
  public Optional<IndexMetadata> index(String uuid) {
    return table().ofUuid(uuid);
  }

  /** The {@link IndexMetadata#metadataVersion} of the index with this uuid; 0 if there is none. */
  public long metadataVersion(String uuid) {
    return index(uuid).map(IndexMetadata::metadataVersion).orElse(0L);
  }

  /** The indices with this alias, by name. */
  public List<IndexMetadata> indicesOf(String alias) {
    return table().ofAlias(alias);
  }

  /**
   * The indices in which this state differs from another one. Between states of one log the cost
   * depends on the changes rather than on the number of indices, so that a listener of each state
   * need not read all of them.
   */
  public IndexChanges changesSince(ClusterState before) {
    return table().since(before.table());
  }

  public Optional<ShardRouting> shard(ShardId shard) {
    return index(shard.indexUuid())
        .filter(i -> shard.number() < i.numberOfShards())
        .map(i -> i.shard(shard.number()));
  }

  private ClusterState change(ShardId shard, UnaryOperator<ShardRouting> change) {
    return change(shard.indexUuid(), i -> i.withShard(shard, change));
  }

  private ClusterState change(String uuid, UnaryOperator<IndexMetadata> change) {
    return index(uuid).map(i -> withIndices(table().with(change.apply(i)))).orElse(this);
  }

  private ClusterState formed(ClusterEvent.ClusterFormed event) {
    return new ClusterState(
        event.clusterName(),
        event.clusterUuid(),
        version,
        leaderTerm,
        leaderNodeId,
        nodes,
        indices,
        persistentSettings,
        transientSettings,
        templates,
        featureLevel,
        autoFollow,
        memberSince);
  }

  private ClusterState raisedTo(int level) {
    return with(templates, Math.max(featureLevel, level), autoFollow);
  }

  private ClusterState with(
      Templates newTemplates, int newLevel, Map<String, AutoFollowPattern> newPatterns) {
    return new ClusterState(
        clusterName,
        clusterUuid,
        version,
        leaderTerm,
        leaderNodeId,
        nodes,
        indices,
        persistentSettings,
        transientSettings,
        newTemplates,
        newLevel,
        newPatterns,
        memberSince);
  }

  /** Whether the feature may be used: all members can read its formats. */
  public boolean has(Feature feature) {
    return feature.in(featureLevel);
  }

  ClusterState at(long newVersion) {
    return at(newVersion, leaderTerm, leaderNodeId);
  }

  private ClusterState at(long newVersion, long newTerm, String newLeader) {
    return new ClusterState(
        clusterName,
        clusterUuid,
        newVersion,
        newTerm,
        newLeader,
        nodes,
        indices,
        persistentSettings,
        transientSettings,
        templates,
        featureLevel,
        autoFollow,
        memberSince);
  }

  /** This state with other members. */
  public ClusterState withNodes(Map<String, NodeInfo> changed) {
    return with(changed, memberSince, indices);
  }

  private ClusterState withIndices(Map<String, IndexMetadata> changed) {
    return with(nodes, memberSince, changed);
  }

  private ClusterState with(
      Map<String, NodeInfo> newNodes,
      Map<String, Long> newMemberSince,
      Map<String, IndexMetadata> newIndices) {
    return new ClusterState(
        clusterName,
        clusterUuid,
        version,
        leaderTerm,
        leaderNodeId,
        newNodes,
        newIndices,
        persistentSettings,
        transientSettings,
        templates,
        featureLevel,
        autoFollow,
        newMemberSince);
  }

  private IndexTable table() {
    return IndexTable.of(indices);
  }

  private ClusterState withAliases(ClusterEvent.AliasesChanged event) {
    IndexTable changed = table();
    for (String uuid : event.deletedIndices()) {
      changed = changed.ofUuid(uuid).map(IndexMetadata::name).map(changed::without).orElse(changed);
    }
    return withIndices(changed.with(event.changes(), IndexMetadata::withAliases));
  }

  private ClusterState withLeases(Map<String, Map<String, @Nullable RetentionLease>> changes) {
    return withIndices(table().with(changes, IndexMetadata::withLeases));
  }

  private ClusterState withTemplates(Templates changed) {
    return with(changed, featureLevel, autoFollow);
  }

  private ClusterState handled(ClusterEvent.AutoFollowHandled event) {
    AutoFollowPattern pattern = autoFollow.get(event.pattern());
    return pattern == null
        ? this
        : withAutoFollow(Map.of(event.pattern(), pattern.handling(event.added(), event.removed())));
  }

  private ClusterState withAutoFollow(Map<String, @Nullable AutoFollowPattern> changes) {
    return with(templates, featureLevel, AutoFollowPattern.changed(autoFollow, changes));
  }

  private ClusterState withSettings(ClusterEvent.ClusterSettingsChanged event) {
    return new ClusterState(
        clusterName,
        clusterUuid,
        version,
        leaderTerm,
        leaderNodeId,
        nodes,
        indices,
        event.persistentSettings(),
        event.transientSettings(),
        templates,
        featureLevel,
        autoFollow,
        memberSince);
  }
}
