package io.varve.host;

import io.varve.rpc.ApiException;
import io.varve.rpc.ClusterCalls;
import java.time.Duration;

/**
 * The wishes of a node, as the leading coordinator hears them. Each call blocks until the leader
 * has answered: the wish holds in the cluster state of the version given back.
 *
 * <p>Each throws an {@link ApiException}: what the leader refuses (4xx), or 503 when no leader
 * answered in time.
 */
public interface LeaderClient {

  long newTerm(ClusterCalls.NewTerm wish, Duration timeout);

  long copyStarted(ClusterCalls.CopyStarted news, Duration timeout);

  long copyFailed(ClusterCalls.CopyFailed news, Duration timeout);

  long newFields(ClusterCalls.NewFields wish, Duration timeout);
}
