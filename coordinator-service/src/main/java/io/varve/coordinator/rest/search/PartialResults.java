package io.varve.coordinator.rest.search;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.rpc.ApiException;
import io.varve.rpc.ReadDemand;
import io.varve.search.ShardFailure;
import java.util.List;

/**
 * Whether an answer may leave out shards that failed: as the request says, else as {@code
 * search.default_allow_partial_results} does. A promise on what is read that a shard could not keep
 * fails the search unless the request itself says that parts are enough.
 */
final class PartialResults {

  private PartialResults() {}

  static void check(ClusterState state, SearchHow how, List<ShardFailure> failures) {
    Boolean said = how.effort().allowPartial();
    boolean allowed =
        said == null
            ? "true".equals(ClusterSettings.value(state, ClusterSettings.ALLOW_PARTIAL_RESULTS))
                && failures.stream().noneMatch(PartialResults::isBrokenPromise)
            : said;
    if (!allowed && !failures.isEmpty()) {
      throw new ApiException(SearchRouter.failed("Partial shards failure", failures));
    }
  }

  /** Left out in silence, a shard would be a promise that was not kept. */
  private static boolean isBrokenPromise(ShardFailure failure) {
    return failure.reason().type().equals(ReadDemand.TIMEOUT_TYPE);
  }
}
