package io.varve.host.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.engine.SearchMeters;
import java.util.List;
import org.junit.jupiter.api.Test;

class CountedSearchTest {

  private final SearchMeters meters = new SearchMeters();

  @Test
  void aSearchInSlicesCountsAsAConcurrentQueryOfItsGroupsToo() {
    CountedSearch search = new CountedSearch(meters, List.of("group"));
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
