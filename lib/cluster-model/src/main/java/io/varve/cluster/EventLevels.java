package io.varve.cluster;

import io.varve.events.Feature;
import io.varve.events.FeatureLevels;
import org.jspecify.annotations.Nullable;

/** The feature level that introduced each kind of {@link ClusterEvent}, or the content of one. */
final class EventLevels {

  private EventLevels() {}

  static int since(ClusterEvent event) {
    return switch (event) {
      case ClusterEvent.ClusterFormed _,
          ClusterEvent.ClusterSettingsChanged _,
          ClusterEvent.NodeJoined _,
          ClusterEvent.NodeLeft _,
          ClusterEvent.IndexDeleted _,
          ClusterEvent.IndexClosed _,
          ClusterEvent.IndexOpened _,
          ClusterEvent.AliasesChanged _,
          ClusterEvent.TemplatesChanged _,
          ClusterEvent.MappingChanged _,
          ClusterEvent.IndexSettingsChanged _,
          ClusterEvent.FollowAssigned _,
          ClusterEvent.WritersReleased _,
          ClusterEvent.PrimaryAssigned _,
          ClusterEvent.ReplicaAssigned _,
          ClusterEvent.ReplicaPromoted _,
          ClusterEvent.CopyStarted _,
          ClusterEvent.CopyUnassigned _,
          ClusterEvent.CopiesChanged _,
          ClusterEvent.RelocationStarted _,
          ClusterEvent.HandOverStarted _,
          ClusterEvent.RelocationFinished _,
          ClusterEvent.RelocationCancelled _ ->
          FeatureLevels.FIRST;
      case ClusterEvent.IndexCreated(var index) -> since(index);
      case ClusterEvent.IndexRolledOver(var index, _) -> since(index);
      case ClusterEvent.FollowChanged _ -> Feature.FOLLOWER_LIFECYCLE.since();
      case ClusterEvent.FollowerReplaced _ -> Feature.FOLLOWER_BOOTSTRAP.since();
      case ClusterEvent.FollowStatusChanged _, ClusterEvent.OperationSkipped _ ->
          Feature.FOLLOW_STATUS.since();
      case ClusterEvent.AutoFollowChanged _, ClusterEvent.AutoFollowHandled _ ->
          Feature.AUTO_FOLLOW.since();
      case ClusterEvent.LeasesChanged _ -> Feature.RECORDED_LEASES.since();
      case ClusterEvent.ShardForked _ -> Feature.FORKS.since();
      case ClusterEvent.ShardRevived _ -> Feature.REVIVAL.since();
      case ClusterEvent.FeatureLevelRaised _, ClusterEvent.SnapshotPart _ -> 2;
      case ClusterEvent.Together(var events) ->
          events.stream().mapToInt(ClusterEvent::since).max().orElse(FeatureLevels.FIRST);
    };
  }

  private static int since(IndexMetadata index) {
    boolean recorded = index.shards().stream().anyMatch(ShardRouting::neverStarted);
    return Math.max(
        since(index.follow()), recorded ? Feature.NEVER_STARTED.since() : FeatureLevels.FIRST);
  }

  private static int since(@Nullable FollowRelation follow) {
    if (follow == null) {
      return FeatureLevels.FIRST;
    }
    if (follow.status() != null) {
      return Feature.FOLLOW_STATUS.since();
    }
    if (follow.replacement() != null) {
      return follow.failback().isPresent()
          ? Feature.FAILBACK.since()
          : Feature.FOLLOWER_BOOTSTRAP.since();
    }
    return follow.parameters() == null && follow.origins() == null
        ? FeatureLevels.FIRST
        : Feature.FOLLOWER_LIFECYCLE.since();
  }
}
