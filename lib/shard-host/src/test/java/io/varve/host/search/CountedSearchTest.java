package io.varve.host.search;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.SearchMeters;
import io.varve.search.SearchRequest;
import io.varve.search.ShardSearchRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CountedSearchTest {

  private final SearchMeters meters = new SearchMeters();

  @Test
  void aSearchInSlicesCountsAsAConcurrentQueryOfItsGroupsToo() {
    SearchRequest request =
        SearchRequest.parse("{\"stats\":[\"group\"]}".getBytes(UTF_8), Map.of());
    CountedSearch search =
        new CountedSearch(
            meters, SearchSlowLog.of(Map.of()), "[books][0]", new ShardSearchRequest(request, 0));
    SearchMeters.Phases group = meters.groups(List.of("group")).getFirst();

    Runnable ended = search.sliced(3);
    for (SearchMeters.Phases phases : List.of(meters.all(), group)) {
      assertThat(phases.concurrentQuery.read().current()).isEqualTo(1);
      assertThat(phases.concurrentQuery.read().total()).isZero();
    }
    ended.run();
    search.sliced(5).run();

    for (SearchMeters.Phases phases : List.of(meters.all(), group)) {
      assertThat(phases.concurrentQuery.read().current()).isZero();
      assertThat(phases.concurrentQuery.read().total()).isEqualTo(2);
      assertThat(phases.slices.sum()).isEqualTo(8);
    }
  }
}
