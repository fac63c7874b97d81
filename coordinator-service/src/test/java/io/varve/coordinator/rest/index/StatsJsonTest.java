package io.varve.coordinator.rest.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.coordinator.rest.JsonObjects;
import io.varve.rpc.CopySegments;
import io.varve.rpc.CopyStats;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatsJsonTest {

  private static Map<String, Object> shown(CopyStats.Ahead ahead) {
    CopyStats none = StatsJson.resting(new CopySegments(List.of()));
    CopyStats.Activity nothing = none.activity();
    CopyStats stats =
        new CopyStats(
            none.progress(),
            none.contents(),
            new CopyStats.Activity(
                nothing.indexing(),
                nothing.gets(),
                nothing.search(),
                nothing.refresh(),
                nothing.merges().with(ahead),
                nothing.flush()),
            none.seqNos(),
            none.kept());
    return StatsJson.of(stats, StatsJson.Surroundings.NONE, null, StatsWish.everything());
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
}
