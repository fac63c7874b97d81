package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.RemoteCluster;
import io.varve.cluster.RetentionLease;
import io.varve.rpc.ErrorBody;
import io.varve.rpc.LeaseRenewal;
import java.util.Map;
import java.util.TreeMap;

/** The answers of a coordinator to renewals of leases, as a follower understands them. */
final class LeaseAnswers {

  private LeaseAnswers() {}

  /** The answer after the renewal was carried out. */
  static RemoteCluster.Lease done(ClusterState state, LeaseRenewal request) {
    RetentionLease lease =
        state
            .index(request.indexUuid())
            .map(index -> index.leases().get(request.holder()))
            .filter(RetentionLease::isActive)
            .orElse(null);
    if (lease == null) {
      return new RemoteCluster.Lease.Missing(0, "the retention lease was just removed");
    }
    Map<Integer, Long> limits = new TreeMap<>(lease.limits());
    limits.keySet().retainAll(request.fromOffsets().keySet());
    return new RemoteCluster.Lease.Active(lease.generation(), limits);
  }

  /** The answer to a renewal that was refused because its lease is missing. */
  static RemoteCluster.Lease refused(ErrorBody error) {
    if (!error.type().equals(RemoteCluster.NO_LEASE)) {
      throw new IllegalStateException("a renewal was refused: " + error);
    }
    long newest =
        error.fields().get("newest_generation") instanceof Number known ? known.longValue() : 0;
    return new RemoteCluster.Lease.Missing(newest, error.reason());
  }
}
