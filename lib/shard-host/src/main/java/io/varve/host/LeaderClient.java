package io.varve.host;

import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import java.time.Duration;

/**
 * The requests of a node to the leading coordinator. Each call blocks until the leader has
 * answered, and returns the version of the cluster state as of which the request takes effect.
 *
 * <p>Each throws an {@link ApiException}: 4xx if the leader refuses the request, 503 if no leader
 * answers in time.
 */
public interface LeaderClient {

  long newTerm(ClusterCalls.NewTerm request, Duration timeout);

  long copyStarted(ClusterCalls.CopyStarted news, Duration timeout);

  long copyFailed(ClusterCalls.CopyFailed news, Duration timeout);

  long newFields(ClusterCalls.NewFields request, Duration timeout);

  long leaseOverLimit(ClusterCalls.LeaseOverLimit news, Duration timeout);

  long historyLost(ClusterCalls.LostHistory news, Duration timeout);
}
