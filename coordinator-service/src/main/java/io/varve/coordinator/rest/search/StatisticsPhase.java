package io.varve.coordinator.rest.search;

import io.varve.client.SearchCall.Step;
import io.varve.client.ShardClient;
import io.varve.events.PackedReader;
import io.varve.search.SearchStatistics;
import io.varve.search.ShardSearchRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The DFS phase: gathers term statistics over all shards before they are searched. Shards that fail
 * are left out.
 */
record StatisticsPhase(SearchRouter router, ShardClient client) {

  SearchStatistics gather(SearchRun run, ShardSearchRequest request) throws InterruptedException {
    ShardRequests requests = new ShardRequests(request, run.targets());
    List<SearchStatistics> all = Collections.synchronizedList(new ArrayList<>());
    router.tryAll(
        run.state(),
        run.targets(),
        run.shardOptions().planned(SearchKind.step("statistics", run.budget())),
        (copy, target, terms) -> {
          byte[] answer =
              run.ask(
                  client,
                  copy,
                  requests.of(target),
                  run.call(target, new Step.Statistics(), terms));
          all.add(SearchStatistics.read(new PackedReader(answer)));
          return PreFilter.NOTHING;
        });
    SearchStatistics sum = SearchStatistics.NONE;
    // An abandoned copy may still add to the list.
    for (SearchStatistics one : List.copyOf(all)) {
      sum = sum.plus(one);
    }
    return sum;
  }
}
