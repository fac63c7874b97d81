package io.varve.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.ShardId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a copy is idle, and for which refresh its first searches wait. */
class SearchIdleTest {

  private static final ShardId SHARD = new ShardId("uuid-of-books", 0);
  private static final CopyRouting PRIMARY = CopyRouting.unassigned("p", true, "INDEX_CREATED");
  private static final CopyRouting REPLICA = CopyRouting.unassigned("r", false, "INDEX_CREATED");
  private static final long OPENED = 1_000_000;

  private final SearchIdle idle = new SearchIdle(OPENED);
  private final List<CompletableFuture<Void>> refreshes = new ArrayList<>();

  private CompletableFuture<?> search(long afterMillis, long atMillis) {
    return idle.searched(
        afterMillis,
        OPENED + atMillis,
        () -> {
          refreshes.add(new CompletableFuture<>());
          return refreshes.getLast();
        });
  }

  @ParameterizedTest(name = "after {0} ms, at {1} ms: {2}")
  @CsvSource({
    "30000, 29999, false",
    "30000, 30000, true",
    "    0,     0, true",
    "   -1, 90000, false",
    "30000, -9000, false"
  })
  void aCopyIsIdleThatTimeAfterItsOpeningOrItsLastSearch(
      long afterMillis, long atMillis, boolean expected) {
    assertThat(idle.isIdle(afterMillis, OPENED + atMillis)).isEqualTo(expected);

    assertThat(search(-1, 5_000)).isDone();
    assertThat(idle.isIdle(afterMillis, OPENED + 5_000 + atMillis)).isEqualTo(expected);
  }

  @Test
  void aSearchOfACopyThatIsNotIdleDoesNotRefreshIt() {
    assertThat(search(30_000, 29_999)).isDone();
    assertThat(search(30_000, 59_998)).isDone();

    assertThat(refreshes).isEmpty();
  }

  @Test
  void allSearchesWaitUntilTheRefreshOfAnIdleCopyHasEnded() {
    CompletableFuture<?> first = search(30_000, 30_000);
    CompletableFuture<?> second = search(30_000, 30_001);
    assertThat(first).isNotDone();
    assertThat(second).isNotDone();
    assertThat(refreshes).hasSize(1);

    refreshes.getFirst().complete(null);

    assertThat(first).isDone();
    assertThat(second).isDone();
    assertThat(search(30_000, 30_002)).isDone();
    assertThat(refreshes).hasSize(1);
  }

  @Test
  void aSearchOfAnIdleCopyThatShowsEverythingWaitsForNothing() {
    assertThat(idle.searched(0, OPENED, () -> null)).isDone();
  }

  private static long after(Map<String, String> settings, List<CopyRouting> copies) {
    IndexMetadata index =
        new IndexMetadata(
            "books",
            SHARD.indexUuid(),
            0,
            settings,
            1,
            "{}",
            1,
            null,
            List.of(new ShardRouting(SHARD, 0, copies)));
    return SearchIdle.afterMillis(index, SHARD);
  }

  @Test
  void onlyAShardWithoutReplicasWhoseIntervalNobodyChoseIsIdle() {
    assertThat(after(Map.of(), List.of(PRIMARY))).isEqualTo(30_000);
    assertThat(after(Map.of("index.search.idle.after", "5s"), List.of(PRIMARY))).isEqualTo(5_000);
    assertThat(after(Map.of("index.search.idle.after", "0"), List.of(PRIMARY))).isZero();
    assertThat(after(Map.of("index.search.idle.after", "-1"), List.of(PRIMARY))).isNegative();

    assertThat(after(Map.of("index.refresh_interval", "1s"), List.of(PRIMARY)))
        .isEqualTo(SearchIdle.NEVER);
    assertThat(after(Map.of("index.remote_store.enabled", "true"), List.of(PRIMARY)))
        .isEqualTo(SearchIdle.NEVER);
    assertThat(after(Map.of(), List.of(PRIMARY, REPLICA))).isEqualTo(SearchIdle.NEVER);
  }
}
