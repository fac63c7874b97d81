package io.varve.replication.replica;

import io.varve.host.UnexpectedCalls;
import io.varve.rpc.ClusterCalls;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** There is no leader, only leases are reported: documents of these tests have no new fields. */
final class NoLeader extends UnexpectedCalls {

  final List<ClusterCalls.LeaseOverLimit> leasesOverLimit = new CopyOnWriteArrayList<>();

  @Override
  public long leaseOverLimit(ClusterCalls.LeaseOverLimit report, Duration timeout) {
    leasesOverLimit.add(report);
    return 0;
  }
}
