package io.varve.coordinator.rest.ccr;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.RemoteCluster;
import io.varve.coordinator.rest.ClusterAccess;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.List;

/**
 * Requests to the clusters that the settings {@code cluster.remote.<alias>.seeds} define; failures
 * are converted to API errors.
 */
final class LeaderClusters {

  private final ClusterAccess cluster;
  private final HttpClient http;

  LeaderClusters(ClusterAccess cluster, HttpClient http) {
    this.cluster = cluster;
    this.http = http;
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
    List<String> seeds = ClusterSettings.remoteSeeds(cluster.state()).get(alias);
    if (seeds == null) {
      throw new ApiException(
          404, "no_such_remote_cluster_exception", "no such remote cluster: [" + alias + "]");
    }
    return new RemoteCluster(http, seeds);
  }

  private static ApiException noAnswer(String alias, IOException failure) {
    return new ApiException(
        503,
        "connect_transport_exception",
        "remote cluster [" + alias + "] did not answer: " + failure.getMessage());
  }
}
