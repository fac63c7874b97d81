package io.varve.replication.replica;

import io.varve.host.LeaderClient;
import io.varve.rpc.ClusterCalls;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** There is no leader, only leases are reported: documents of these tests have no new fields. */
final class NoLeader implements LeaderClient {

  final List<ClusterCalls.LeaseOverLimit> leasesOverLimit = new CopyOnWriteArrayList<>();

  @Override
  public long newTerm(ClusterCalls.NewTerm request, Duration timeout) {
    throw new IllegalStateException("not expected: " + request);
  }

  @Override
  public long copyStarted(ClusterCalls.CopyStarted report, Duration timeout) {
    throw new IllegalStateException("not expected: " + report);
  }

  @Override
  public long copyFailed(ClusterCalls.CopyFailed report, Duration timeout) {
    throw new IllegalStateException("not expected: " + report);
  }

  @Override
  public long historyLost(ClusterCalls.LostHistory news, Duration timeout) {
    throw new IllegalStateException("not expected: " + news);
  }

  @Override
  public long newFields(ClusterCalls.NewFields request, Duration timeout) {
    throw new IllegalStateException("not expected: " + request);
  }

  @Override
  public long leaseOverLimit(ClusterCalls.LeaseOverLimit report, Duration timeout) {
    leasesOverLimit.add(report);
    return 0;
  }
}
