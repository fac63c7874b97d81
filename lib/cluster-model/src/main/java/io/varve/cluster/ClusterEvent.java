package io.varve.cluster;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.varve.events.FeatureLevels;
import io.varve.events.ShardId;
import io.varve.rpc.ForkPlace;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A change of the cluster state, as recorded in the cluster log. It contains the result of a
 * decision, so every reader applies it alike. Stored as JSON, which any console consumer can
 * display.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "event")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ClusterEvent.ClusterFormed.class, name = "cluster_formed"),
  @JsonSubTypes.Type(value = ClusterEvent.NodeJoined.class, name = "node_joined"),
  @JsonSubTypes.Type(value = ClusterEvent.NodeLeft.class, name = "node_left"),
  @JsonSubTypes.Type(value = ClusterEvent.IndexCreated.class, name = "index_created"),
  @JsonSubTypes.Type(value = ClusterEvent.IndexDeleted.class, name = "index_deleted"),
  @JsonSubTypes.Type(value = ClusterEvent.IndexClosed.class, name = "index_closed"),
  @JsonSubTypes.Type(value = ClusterEvent.IndexOpened.class, name = "index_opened"),
  @JsonSubTypes.Type(value = ClusterEvent.IndexRolledOver.class, name = "index_rolled_over"),
  @JsonSubTypes.Type(value = ClusterEvent.AliasesChanged.class, name = "aliases_changed"),
  @JsonSubTypes.Type(value = ClusterEvent.TemplatesChanged.class, name = "templates_changed"),
  @JsonSubTypes.Type(value = ClusterEvent.MappingChanged.class, name = "mapping_changed"),
  @JsonSubTypes.Type(
      value = ClusterEvent.IndexSettingsChanged.class,
      name = "index_settings_changed"),
  @JsonSubTypes.Type(
      value = ClusterEvent.ClusterSettingsChanged.class,
      name = "cluster_settings_changed"),
  @JsonSubTypes.Type(value = ClusterEvent.PrimaryAssigned.class, name = "primary_assigned"),
  @JsonSubTypes.Type(value = ClusterEvent.ReplicaAssigned.class, name = "replica_assigned"),
  @JsonSubTypes.Type(value = ClusterEvent.ReplicaPromoted.class, name = "replica_promoted"),
  @JsonSubTypes.Type(value = ClusterEvent.CopyStarted.class, name = "copy_started"),
  @JsonSubTypes.Type(value = ClusterEvent.CopyUnassigned.class, name = "copy_unassigned"),
  @JsonSubTypes.Type(value = ClusterEvent.CopiesChanged.class, name = "copies_changed"),
  @JsonSubTypes.Type(value = ClusterEvent.RelocationStarted.class, name = "relocation_started"),
  @JsonSubTypes.Type(value = ClusterEvent.HandOverStarted.class, name = "hand_over_started"),
  @JsonSubTypes.Type(value = ClusterEvent.RelocationFinished.class, name = "relocation_finished"),
  @JsonSubTypes.Type(value = ClusterEvent.RelocationCancelled.class, name = "relocation_cancelled"),
  @JsonSubTypes.Type(value = ClusterEvent.WritersReleased.class, name = "writers_released"),
  @JsonSubTypes.Type(value = ClusterEvent.FollowAssigned.class, name = "follow_assigned"),
  @JsonSubTypes.Type(value = ClusterEvent.FollowChanged.class, name = "follow_changed"),
  @JsonSubTypes.Type(value = ClusterEvent.AutoFollowChanged.class, name = "auto_follow_changed"),
  @JsonSubTypes.Type(value = ClusterEvent.AutoFollowHandled.class, name = "auto_follow_handled"),
  @JsonSubTypes.Type(value = ClusterEvent.ShardForked.class, name = "shard_forked"),
  @JsonSubTypes.Type(value = ClusterEvent.ShardRevived.class, name = "shard_revived"),
  @JsonSubTypes.Type(value = ClusterEvent.LeasesChanged.class, name = "leases_changed"),
  @JsonSubTypes.Type(value = ClusterEvent.FollowerReplaced.class, name = "follower_replaced"),
  @JsonSubTypes.Type(
      value = ClusterEvent.FollowStatusChanged.class,
      name = "follow_status_changed"),
  @JsonSubTypes.Type(value = ClusterEvent.OperationSkipped.class, name = "operation_skipped"),
  @JsonSubTypes.Type(value = ClusterEvent.Together.class, name = "together"),
  @JsonSubTypes.Type(value = ClusterEvent.FeatureLevelRaised.class, name = "feature_level_raised"),
  @JsonSubTypes.Type(value = ClusterEvent.SnapshotPart.class, name = "snapshot_part"),
})
public sealed interface ClusterEvent {

  /** The entity that the event changes: the key of its record. */
  default String entity() {
    return switch (this) {
      case ClusterFormed e -> "cluster";
      case ClusterSettingsChanged e -> "cluster";
      case NodeJoined e -> e.node().nodeId();
      case NodeLeft e -> e.nodeId();
      case IndexCreated e -> e.index().uuid();
      case IndexDeleted e -> e.indexUuid();
      case IndexClosed e -> e.indexUuid();
      case IndexOpened e -> e.indexUuid();
      case IndexRolledOver e -> e.index().uuid();
      case AliasesChanged e -> "aliases";
      case TemplatesChanged e -> "templates";
      case MappingChanged e -> e.indexUuid();
      case IndexSettingsChanged e -> e.indexUuid();
      case FollowAssigned e -> e.indexUuid();
      case FollowChanged e -> e.indexUuid();
      case LeasesChanged _ -> "leases";
      case ShardForked e -> e.shard().toString();
      case ShardRevived e -> e.shard().toString();
      case FollowerReplaced e -> e.indexUuid();
      case FollowStatusChanged e -> e.indexUuid();
      case OperationSkipped e -> e.shard().toString();
      case WritersReleased e -> e.indexUuid();
      case PrimaryAssigned e -> e.shard().toString();
      case ReplicaAssigned e -> e.shard().toString();
      case ReplicaPromoted e -> e.shard().toString();
      case CopyStarted e -> e.shard().toString();
      case CopyUnassigned e -> e.shard().toString();
      case CopiesChanged e -> e.shard().toString();
      case RelocationStarted e -> e.shard().toString();
      case HandOverStarted e -> e.shard().toString();
      case RelocationFinished e -> e.shard().toString();
      case RelocationCancelled e -> e.shard().toString();
      case AutoFollowChanged e -> "auto-follow";
      case AutoFollowHandled e -> "auto-follow";
      case Together e -> "several";
      case FeatureLevelRaised e -> "cluster";
      case SnapshotPart e -> "snapshot";
    };
  }

  /**
   * The feature level that introduced this kind of event; it must not be written in a cluster below
   * that level.
   */
  default int since() {
    return EventLevels.since(this);
  }

  /** The uuids of the indices that this event deletes. */
  default List<String> deletedIndexUuids() {
    return switch (this) {
      case IndexDeleted e -> List.of(e.indexUuid());
      case AliasesChanged e -> e.deletedIndices();
      case Together e ->
          e.events().stream().flatMap(event -> event.deletedIndexUuids().stream()).toList();
      default -> List.of();
    };
  }

  /** Combines the events into one, so that the log accepts all of them or none. */
  static ClusterEvent together(List<ClusterEvent> events) {
    return events.size() == 1 ? events.getFirst() : new Together(events);
  }

  /** Several events that are applied in order, in one atomic step. */
  record Together(List<ClusterEvent> events) implements ClusterEvent {
    public Together {
      events = List.copyOf(events);
    }
  }

  /** The cluster's feature level rises: events of that level may be written. It never goes down. */
  record FeatureLevelRaised(int featureLevel) implements ClusterEvent {
    public FeatureLevelRaised {
      if (featureLevel < FeatureLevels.FIRST) {
        throw new IllegalArgumentException(
            "a feature level is >= " + FeatureLevels.FIRST + ", was " + featureLevel);
      }
    }
  }

  /**
   * A part of the text of a {@link ClusterSnapshot}. It changes only the version: a reader of the
   * whole log knows its content already.
   *
   * @param part from 0
   */
  record SnapshotPart(int part, int parts, String text) implements ClusterEvent {
    public SnapshotPart {
      Objects.requireNonNull(text, "text");
      if (part < 0 || part >= parts) {
        throw new IllegalArgumentException("part " + part + " of " + parts);
      }
    }
  }

  /** The first event of a cluster. */
  record ClusterFormed(String clusterName, String clusterUuid) implements ClusterEvent {}

  /**
   * A process has started. If its incarnation is new, all copies on the node are INITIALIZING
   * again.
   */
  record NodeJoined(NodeInfo node) implements ClusterEvent {}

  /** A node was silent for too long. Its copies stay assigned until other events unassign them. */
  record NodeLeft(String nodeId, String reason) implements ClusterEvent {}

  /** A new index; all its copies are unassigned. */
  record IndexCreated(IndexMetadata index) implements ClusterEvent {}

  record IndexDeleted(String indexUuid) implements ClusterEvent {}

  /** The copies of the index close and keep their nodes and files. */
  record IndexClosed(String indexUuid) implements ClusterEvent {}

  /** The copies of the index open again on their nodes, each primary under the next term. */
  record IndexOpened(String indexUuid) implements ClusterEvent {}

  /** The new index is created and the alias points to it, in one atomic step. */
  record IndexRolledOver(IndexMetadata index, AliasesChanged aliases) implements ClusterEvent {}

  /**
   * Aliases change and indices are deleted, in one atomic step.
   *
   * @param changes by uuid of the index and name of the alias; {@code null} removes the alias
   * @param deletedIndices uuids of the indices that are deleted
   */
  record AliasesChanged(
      Map<String, Map<String, @Nullable AliasMetadata>> changes, List<String> deletedIndices)
      implements ClusterEvent {}

  /** Templates change, by name; {@code null} removes a template. */
  record TemplatesChanged(
      Map<String, Templates.@Nullable Legacy> legacy,
      Map<String, Templates.@Nullable Composable> composable,
      Map<String, Templates.@Nullable Component> components)
      implements ClusterEvent {}

  /** The mapping of the index changes; {@code mapping} is the complete new one. */
  record MappingChanged(String indexUuid, long mappingVersion, String mapping)
      implements ClusterEvent {}

  /** Settings of the index change; {@code null} removes a setting. */
  record IndexSettingsChanged(
      String indexUuid, long settingsVersion, Map<String, @Nullable String> changes)
      implements ClusterEvent {}

  /** The cluster settings change; both maps are complete. */
  record ClusterSettingsChanged(
      Map<String, String> persistentSettings, Map<String, String> transientSettings)
      implements ClusterEvent {}

  /** The primary is assigned to {@code nodeId}, under a term that was never assigned before. */
  record PrimaryAssigned(ShardId shard, String copyId, String nodeId, long term)
      implements ClusterEvent {}

  /**
   * The copy {@code formerCopyId}, which is unassigned or is to be reopened, is assigned to {@code
   * nodeId} under a new id.
   */
  record ReplicaAssigned(ShardId shard, String formerCopyId, String copyId, String nodeId)
      implements ClusterEvent {}

  /**
   * The replica {@code copyId} becomes the primary on its node, under a term that was never
   * assigned before; the former primary becomes a replica and keeps its node, if it has one.
   */
  record ReplicaPromoted(ShardId shard, String copyId, long term, String reason)
      implements ClusterEvent {}

  /** {@code term} is the primary's term; the event changes nothing if the term is an older one. */
  record CopyStarted(ShardId shard, String copyId, long term) implements ClusterEvent {}

  record CopyUnassigned(ShardId shard, String copyId, String reason) implements ClusterEvent {}

  /** Copies are added or removed after a change of the number of replicas. */
  record CopiesChanged(ShardId shard, List<CopyRouting> copies) implements ClusterEvent {}

  /** The copy {@code copyId} relocates to {@code nodeId}; see {@link Relocation}. */
  record RelocationStarted(ShardId shard, String copyId, String targetCopyId, String nodeId)
      implements ClusterEvent {}

  /**
   * The target takes over from the primary under {@code term}, which was never assigned before. The
   * primary accepts writes until it reads that term's fence.
   */
  record HandOverStarted(ShardId shard, String targetCopyId, long term) implements ClusterEvent {}

  /** The target has replaced its source. */
  record RelocationFinished(ShardId shard, String targetCopyId) implements ClusterEvent {}

  /**
   * The target is removed, and the source stays.
   *
   * @param term the primary's new term when a hand-over ends, never assigned before; else 0
   */
  record RelocationCancelled(ShardId shard, String targetCopyId, long term, String reason)
      implements ClusterEvent {}

  /**
   * A blocked index becomes search-only: its primaries and their replicas are removed, the
   * search-only copies stay. The removed copies are assigned again when the block is removed.
   */
  record WritersReleased(String indexUuid) implements ClusterEvent {}

  /**
   * The node {@code nodeId} pulls for the following index; {@code assignment} increases with each
   * event.
   */
  record FollowAssigned(String indexUuid, @Nullable String nodeId, long assignment)
      implements ClusterEvent {}

  /**
   * Following is paused, resumed or ended.
   *
   * @param follow the complete new value; null when the index is no longer a follower
   */
  record FollowChanged(
      String indexUuid,
      @Nullable FollowRelation follow,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Fork fork)
      implements ClusterEvent {

    /** Without a fork. */
    public FollowChanged(String indexUuid, @Nullable FollowRelation follow) {
      this(indexUuid, follow, null);
    }
  }

  /** The first primary since the index stopped following has started after this fork. */
  record ShardForked(ShardId shard, ForkPlace place) implements ClusterEvent {}

  /**
   * The copy on {@code nodeId} becomes the primary and continues the log, which lost records; see
   * {@link Revival}. Relocations of the shard end.
   *
   * @param copyId the id of the primary, unless a replica is on that node
   */
  record ShardRevived(ShardId shard, String copyId, String nodeId, Revival revival)
      implements ClusterEvent {}

  /** By name, the complete new patterns; {@code null} removes a pattern. */
  record AutoFollowChanged(Map<String, @Nullable AutoFollowPattern> patterns)
      implements ClusterEvent {}

  /**
   * Leader indices are now followed, or this pattern must not follow them, or they were deleted.
   *
   * @param added uuids
   * @param removed uuids
   */
  record AutoFollowHandled(String pattern, List<String> added, List<String> removed)
      implements ClusterEvent {
    public AutoFollowHandled {
      added = List.copyOf(added);
      removed = List.copyOf(removed);
    }
  }

  /**
   * Followers' leases on indices of this cluster are added, renewed or ended.
   *
   * @param changes the complete new leases, by uuid of the index and holder; {@code null} removes a
   *     lease
   */
  record LeasesChanged(Map<String, Map<String, @Nullable RetentionLease>> changes)
      implements ClusterEvent {}

  /**
   * A follower that lost its leader's history exchanges names with its successor, which copied the
   * leader again, in one step; the successor also gets the aliases. Searches that began before
   * continue. The successor of a former leader index (see {@link Failback}) takes its name in the
   * same way.
   */
  record FollowerReplaced(String indexUuid, String successorUuid) implements ClusterEvent {}

  /** A follower took a mapping from its leader, or some of its copies are to be reopened. */
  record FollowStatusChanged(String indexUuid, FollowStatus status) implements ClusterEvent {}

  /**
   * An operator skipped the operation at that offset of the leader's log, which this shard refuses:
   * the follower's log gets a delete of the same document in its place.
   */
  record OperationSkipped(ShardId shard, long leaderOffset, long seqNo) implements ClusterEvent {}
}
