package io.varve.coordinator.rest.search;

import io.varve.client.CallTerms;
import io.varve.client.CopyAddress;
import io.varve.client.SearchCall;
import io.varve.client.SearchCall.Step;
import io.varve.client.ShardClient;
import io.varve.cluster.ClusterState;
import io.varve.coordinator.rest.search.SearchRouter.ShardOptions;
import io.varve.coordinator.rest.search.SearchRouter.Target;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The shards of one search, and how they are asked.
 *
 * @param context of a point in time; {@code null} without one
 */
record SearchRun(
    ClusterState state,
    SearchOptions searchOptions,
    SearchBudget budget,
    List<Target> targets,
    ShardOptions shardOptions,
    SearchCall.@Nullable Context context) {

  SearchCall call(Target target, Step step, CallTerms terms) {
    return new SearchCall(step, target.ordinal(), target.part(), context, budget.bounds())
        .on(terms);
  }

  /** Asks one copy; the answer is encoded. */
  byte[] ask(ShardClient client, CopyAddress copy, byte[] request, SearchCall call)
      throws InterruptedException {
    budget.check();
    return client.search(copy, call, request, budget.patience());
  }
}
