package io.varve.host;

import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import java.time.Duration;

/**
 * The requests of a node to the leading coordinator. Each call blocks until the leader has answered
 * and returns the version of the cluster state from which the request is in effect.
 *
 * <p>Each throws an {@link ApiException}: 4xx when the leader refuses the request, 503 when no
 * leader answered in time.
 */
public interface LeaderClient {

  long newTerm(ClusterCalls.NewTerm request, Duration timeout);

  long copyStarted(ClusterCalls.CopyStarted news, Duration timeout);

  long copyFailed(ClusterCalls.CopyFailed news, Duration timeout);

  long newFields(ClusterCalls.NewFields request, Duration timeout);
}
