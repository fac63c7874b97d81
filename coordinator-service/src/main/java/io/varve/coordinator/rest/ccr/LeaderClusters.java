package io.varve.coordinator.rest.ccr;

import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RemoteFiles;
import io.varve.cluster.RemoteSettings;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.io.IOException;

/**
 * Requests to the clusters that the settings {@code cluster.remote.<alias>.*} define; failures are
 * converted to API errors.
 */
final class LeaderClusters {

  private final ClusterAccess cluster;
  private final RemoteFiles files;

  LeaderClusters(ClusterAccess cluster, RemoteFiles files) {
    this.cluster = cluster;
    this.files = files;
  }

  /** The properties of an index of that cluster. */
  RemoteCluster.Export export(String alias, String index) throws InterruptedException {
    try {
      return remote(alias).export(index);
    } catch (RemoteCluster.MissingIndexException e) {
      throw new ApiException(
          ErrorBody.of(
                  404,
                  "index_not_found_exception",
                  "no such index [" + index + "] in [" + alias + "]")
              .with("index", index));
    } catch (RemoteCluster.RefusedException e) {
      throw new ApiException(e.error());
    } catch (IOException e) {
      throw noAnswer(alias, e);
    }
  }

  /** The cluster and its indices. */
  RemoteCluster.Description describe(String alias) throws InterruptedException {
    try {
      return remote(alias).describe();
    } catch (RemoteCluster.RefusedException e) {
      throw new ApiException(e.error());
    } catch (IOException e) {
      throw noAnswer(alias, e);
    }
  }

  /** Removes the leases that the follower holds on the leader index. */
  void forget(String alias, String leaderIndex, RemoteCluster.Follower follower)
      throws InterruptedException {
    try {
      remote(alias).forget(leaderIndex, follower);
    } catch (RemoteCluster.RefusedException e) {
      throw new ApiException(e.error());
    } catch (IOException e) {
      throw noAnswer(alias, e);
    }
  }

  private RemoteCluster remote(String alias) {
    return RemoteSettings.of(cluster.state(), alias)
        .map(files::cluster)
        .orElseThrow(() ->
            new ApiException(
                404,
                "no_such_remote_cluster_exception",
                "no such remote cluster: [" + alias + "]"));
  }

  private static ApiException noAnswer(String alias, IOException failure) {
    if (failure instanceof RemoteCluster.UnauthorizedException) {
      return new ApiException(
          503,
          "security_exception",
          "remote cluster [" + alias + "] refused the request: " + failure.getMessage());
    }
    return new ApiException(
        503,
        "connect_transport_exception",
        "remote cluster [" + alias + "] did not answer: " + failure.getMessage());
  }
}
