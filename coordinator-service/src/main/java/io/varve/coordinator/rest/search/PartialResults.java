package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.rpc.ApiException;
import io.varve.rpc.ReadDemand;
import io.varve.search.ShardFailure;
import java.util.List;

/**
 * Decides whether a response may leave out shards that failed: as the request specifies, else
 * according to {@code search.default_allow_partial_results}. A shard that could not keep the
 * request's read promise fails the search unless the request itself allows partial results.
 */
final class PartialResults {

  private PartialResults() {}

  static void check(ClusterState state, SearchOptions searchOptions, List<ShardFailure> failures) {
    Boolean requested = searchOptions.effort().allowPartial();
    boolean allowed =
        requested == null
            ? "true".equals(ClusterSettings.value(state, ClusterSettings.ALLOW_PARTIAL_RESULTS))
                && failures.stream().noneMatch(PartialResults::isBrokenPromise)
            : requested;
    if (!allowed && !failures.isEmpty()) {
      throw new ApiException(SearchFailures.failed("Partial shards failure", failures));
    }
  }

  /** Whether omitting the shard without notice would break the read promise. */
  private static boolean isBrokenPromise(ShardFailure failure) {
    return failure.reason().type().equals(ReadDemand.TIMEOUT_TYPE);
  }
}
