package io.varve.coordinator.rest.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.rest.JsonObjects;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatsJsonTest {

  private static Map<String, Object> shown(CopyStats.Ahead ahead) {
    return shown(ahead, CopyStats.Search.NONE);
  }

  private static Map<String, Object> shown(CopyStats.Ahead ahead, CopyStats.Search search) {
    CopyStats none = StatsJson.resting(new CopySegments(List.of()));
    CopyStats.Activity nothing = none.activity();
    CopyStats stats =
        new CopyStats(
            none.progress(),
            none.contents(),
            new CopyStats.Activity(
                nothing.indexing(),
                nothing.gets(),
                search,
                nothing.refresh(),
                nothing.merges().with(ahead),
                nothing.flush()),
            none.seqNos(),
            none.kept());
    return StatsJson.of(stats, StatsJson.ShardStatus.NONE, null, StatsRequest.everything());
  }

  @Test
  void mergedSegmentsThatWentAheadAreSummedOverWhoSentAndWhoReceivedThem() {
    Map<String, Object> primary =
        shown(
            new CopyStats.Ahead(
                new CopyStats.Phase(5, 100, 1),
                2,
                new CopyStats.Moved(2048, 50),
                CopyStats.Moved.NONE));
    Map<String, Object> replica =
        shown(
            new CopyStats.Ahead(
                CopyStats.Phase.NONE,
                0,
                new CopyStats.Moved(1024, 20),
                new CopyStats.Moved(3072, 75)));

    JsonObjects.add(primary, replica);

    assertThat(primary.get("merges"))
        .extracting("warmer")
        .isEqualTo(
            Map.of(
                "total_invocations_count", 5L,
                "total_time_millis", 100L,
                "total_failure_count", 2L,
                "total_bytes_sent", 3072L,
                "total_bytes_received", 3072L,
                "total_send_time_millis", 70L,
                "total_receive_time_millis", 75L,
                "ongoing_count", 1L));
  }

  private static CopyStats.Search concurrent(long queries, long slices) {
    CopyStats.SearchPhases none = CopyStats.SearchPhases.NONE;
    return new CopyStats.Search(
        0,
        new CopyStats.SearchPhases(
            none.query(),
            new CopyStats.Phase(queries, 10 * queries, 1),
            slices,
            none.fetch(),
            none.scroll(),
            none.pointInTime()),
        Map.of(),
        CopyStats.Caches.NONE,
        0);
  }

  @Test
  void concurrentQueriesAreSummedAndTheirSlicesAveraged() {
    Map<String, Object> one = shown(CopyStats.Ahead.NONE, concurrent(3, 6));
    assertThat(one.get("search")).extracting("concurrent_avg_slice_count").isEqualTo(2.0);

    JsonObjects.add(one, shown(CopyStats.Ahead.NONE, concurrent(1, 4)));
    Map<?, ?> search = (Map<?, ?>) SliceShare.withAverages(one).get("search");

    assertThat(search.get("concurrent_query_total")).isEqualTo(4L);
    assertThat(search.get("concurrent_query_time_in_millis")).isEqualTo(40L);
    assertThat(search.get("concurrent_query_current")).isEqualTo(2L);
    assertThat(search.get("concurrent_avg_slice_count")).isEqualTo(2.5);
    assertThat(search.containsKey(SliceShare.SLICES)).isFalse();
  }

  @Test
  void searchesThatEndedTheIdlenessOfCopiesAreSummed() {
    Map<String, Object> one = shown(CopyStats.Ahead.NONE, afterIdleness(2));
    JsonObjects.add(one, shown(CopyStats.Ahead.NONE, afterIdleness(3)));

    assertThat(one.get("search")).extracting("search_idle_reactivate_count_total").isEqualTo(5L);
  }

  private static CopyStats.Search afterIdleness(long searches) {
    return new CopyStats.Search(
        0, CopyStats.SearchPhases.NONE, Map.of(), CopyStats.Caches.NONE, searches);
  }
}
