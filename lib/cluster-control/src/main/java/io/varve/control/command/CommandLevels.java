package io.varve.control.command;

import io.varve.events.Feature;
import io.varve.events.FeatureLevels;
import io.varve.rpc.ClusterCalls;

/** The feature levels that introduced the commands. */
final class CommandLevels {

  private CommandLevels() {}

  /** See {@link ClusterCommand#requiredFeatureLevel}. */
  static int required(ClusterCommand command) {
    return switch (command) {
      case ClusterCommand.RollOver _,
          ClusterCommand.RestoreIndex _,
          ClusterCommand.DeleteIndices _,
          ClusterCommand.UpdateAliases _,
          ClusterCommand.CloseIndices _,
          ClusterCommand.OpenIndices _,
          ClusterCommand.BlockWriters _,
          ClusterCommand.ReleaseWriters _,
          ClusterCommand.RecallWriters _,
          ClusterCommand.PutLegacyTemplate _,
          ClusterCommand.PutIndexTemplate _,
          ClusterCommand.PutComponentTemplate _,
          ClusterCommand.DeleteTemplate _,
          ClusterCommand.PutMapping _,
          ClusterCommand.NewFields _,
          ClusterCommand.UpdateIndexSettings _,
          ClusterCommand.UpdateClusterSettings _,
          ClusterCommand.Reroute _,
          ClusterCommand.NewTerm _,
          ClusterCommand.CopyFailed _ ->
          FeatureLevels.FIRST;
      case ClusterCommand.CopyStarted c -> required(c.news());
      case ClusterCommand.CreateIndex c ->
          c.follow() != null && c.follow().parameters() != null
              ? Feature.FOLLOWER_LIFECYCLE.since()
              : FeatureLevels.FIRST;
      case ClusterCommand.PauseFollow _,
          ClusterCommand.ResumeFollow _,
          ClusterCommand.Unfollow _,
          ClusterCommand.UpdateFollower _ ->
          Feature.FOLLOWER_LIFECYCLE.since();
      case ClusterCommand.PutAutoFollow _,
          ClusterCommand.DeleteAutoFollow _,
          ClusterCommand.ActivateAutoFollow _,
          ClusterCommand.HandleAutoFollow _ ->
          Feature.AUTO_FOLLOW.since();
      case ClusterCommand.RenewLease _,
          ClusterCommand.EndLeases _,
          ClusterCommand.LeaseOverLimit _ ->
          Feature.RECORDED_LEASES.since();
      case ClusterCommand.ReplaceFollower _, ClusterCommand.EndReplacement _ ->
          Feature.FOLLOWER_BOOTSTRAP.since();
      case ClusterCommand.StopFollower _,
          ClusterCommand.ReopenCopy _,
          ClusterCommand.SkipOperation _ ->
          Feature.FOLLOW_STATUS.since();
      case ClusterCommand.FailBack _ -> Feature.FAILBACK.since();
      case ClusterCommand.ReviveShard _ -> Feature.REVIVAL.since();
      case ClusterCommand.Promote _ -> Feature.FORKS.since();
      // Sent only if each member has announced support for the second level, which introduced it.
      case ClusterCommand.RaiseFeatureLevel _ -> FeatureLevels.FIRST;
    };
  }

  private static int required(ClusterCalls.CopyStarted news) {
    if (news.provenFrom() != null) {
      return Feature.MEMBER_SINCE.since();
    }
    if (news.admittedIn() != null) {
      return Feature.STRONG_CONSISTENCY.since();
    }
    return news.fork() == null ? FeatureLevels.FIRST : Feature.FORKS.since();
  }
}
