package io.varve.coordinator.rest.ccr;

import io.varve.cluster.FollowParameters;
import io.varve.cluster.FollowRelation;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.RemoteCluster;
import io.varve.control.command.ClusterCommand;
import io.varve.control.command.FollowerIndex;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates, pauses, resumes and unfollows follower indices, for the APIs of Elasticsearch and
 * OpenSearch. Conditions on the leader are checked with its cluster first; the decision checks
 * those on this cluster's state.
 */
final class FollowLifecycle {

  private static final Logger LOG = LoggerFactory.getLogger(FollowLifecycle.class);

  private final ClusterAccess cluster;
  private final LeaderClusters leaders;

  FollowLifecycle(ClusterAccess cluster, LeaderClusters leaders) {
    this.cluster = cluster;
    this.leaders = leaders;
  }

  /**
   * A follower to be created.
   *
   * @param settings of the follower (full names)
   * @param parameters null for the defaults
   */
  record Wanted(
      String follower,
      String remote,
      String leader,
      Map<String, @Nullable String> settings,
      @Nullable FollowParameters parameters) {}

  void follow(Wanted wanted, Duration timeout) throws InterruptedException {
    RemoteCluster.Export export = leaders.export(wanted.remote(), wanted.leader());
    IndexMetadata leader = export.index();
    refuse(FollowerIndex.refusedLeader(leader));
    refuse(FollowerIndex.refusedLoop(cluster.state(), leader));
    cluster.change(
        FollowerIndex.create(
            wanted.follower(),
            wanted.remote(),
            export.clusterUuid(),
            leader,
            wanted.settings(),
            wanted.parameters()),
        timeout);
  }

  void pause(String name, Duration timeout) throws InterruptedException {
    cluster.change(new ClusterCommand.PauseFollow(name), timeout);
  }

  void resume(String name, @Nullable FollowParameters parameters, Duration timeout)
      throws InterruptedException {
    IndexMetadata follower = cluster.state().indices().get(name);
    FollowRelation follow = follower == null ? null : follower.follow();
    if (follower != null && follow != null && follow.paused()) {
      IndexMetadata leader = leaders.export(follow.remoteCluster(), follow.leaderIndex()).index();
      refuse(FollowerIndex.refusalToResume(follower, follow, leader));
    }
    cluster.change(new ClusterCommand.ResumeFollow(name, parameters), timeout);
  }

  void unfollow(String name, Duration timeout) throws InterruptedException {
    IndexMetadata follower = cluster.state().indices().get(name);
    cluster.change(new ClusterCommand.Unfollow(name), timeout);
    if (follower != null && follower.follow() != null) {
      removeLeases(follower, follower.follow());
    }
  }

  /**
   * Makes a follower a regular index that accepts writes. Leases on the leader that can't be
   * removed end by themselves: the leader's cluster may be the reason for the promotion.
   */
  void promote(IndexMetadata follower, FollowRelation follow, Duration timeout)
      throws InterruptedException {
    cluster.change(new ClusterCommand.Promote(follower.name()), timeout);
    try {
      removeLeases(follower, follow);
    } catch (ApiException e) {
      LOG.warn("{}", e.getMessage(), e);
    }
  }

  private static void refuse(Optional<ErrorBody> refused) {
    refused.ifPresent(error -> {
      throw new ApiException(error);
    });
  }

  private void removeLeases(IndexMetadata follower, FollowRelation follow)
      throws InterruptedException {
    try {
      leaders.forget(
          follow.remoteCluster(),
          follow.leaderIndex(),
          new RemoteCluster.Follower(
              cluster.state().clusterName(),
              follower.name(),
              follower.uuid(),
              follow.remoteCluster()));
    } catch (ApiException e) {
      throw new ApiException(
          ErrorBody.of(
                  e.error().status() == 404 ? 404 : 503,
                  "exception",
                  "index ["
                      + follower.name()
                      + "] is unfollowed, but its retention leases on ["
                      + follow.leaderIndex()
                      + "] in ["
                      + follow.remoteCluster()
                      + "] could not be removed")
              .with("failed_to_remove_retention_leases", follow.leaderIndex())
              .causedBy(e.error()));
    }
  }
}
