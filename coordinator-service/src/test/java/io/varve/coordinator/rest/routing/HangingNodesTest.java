package io.varve.coordinator.rest.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.varve.cluster.ClusterSettings;
import io.varve.coordinator.rest.RestHarness;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.mock.web.MockHttpServletResponse;

/** A node that never answers delays no request beyond its limit. */
@Timeout(300)
class HangingNodesTest {

  private final RestHarness rest = new RestHarness();
  private final RoutedSearches world = new RoutedSearches(rest);

  @AfterEach
  void close() {
    world.close();
  }

  private static int statusOf(Future<MockHttpServletResponse> search) throws Exception {
    return search.get(RoutedSearches.SOON.toMillis(), TimeUnit.MILLISECONDS).getStatus();
  }

  @ParameterizedTest
  @ValueSource(strings = {"?scroll=1m", "?search_type=dfs_query_then_fetch"})
  void whoeverCancelsASearchEndsItInWhicheverStepItIs(String query) throws Exception {
    world.silent("a0p");
    world.silent("a0r");
    Future<MockHttpServletResponse> search = world.searching(query);
    await()
        .atMost(RoutedSearches.SOON)
        .until(() -> world.searched("a0p") + world.searched("a0r") > 0);

    rest.call("POST /_tasks/_cancel?actions=indices:data/read/search*");

    assertThat(statusOf(search)).isEqualTo(400);
    world.assertNothingUnderWay();
  }

  @Test
  void theTimeOfASearchIsOverThoughThatOfItsPromiseIsNot() throws Exception {
    world.silent("a0p");
    world.silent("a0r");

    assertThat(
            statusOf(world.searching("?timeout=100ms&consistency=strong&consistency_timeout=5m")))
        .isEqualTo(504);
  }

  @Test
  void aLowerLimitForANodeHoldsAtOnceWhateverIsUnderWayThere() throws Exception {
    world.silent("a0p");
    Future<MockHttpServletResponse> one = world.searching("?preference=_primary");
    Future<MockHttpServletResponse> other = world.searching("?preference=_primary");
    await().atMost(RoutedSearches.SOON).until(() -> world.searched("a0p") == 2);

    rest.cluster.setting(ClusterSettings.NODE_SEARCHES, "1");

    assertThat(statusOf(world.searching("?preference=_replica"))).isEqualTo(200);
    assertThat(statusOf(world.searching("?preference=_primary"))).isEqualTo(429);
    world.speak();
    assertThat(statusOf(one)).isEqualTo(200);
    assertThat(statusOf(other)).isEqualTo(200);
    assertThat(statusOf(world.searching("?preference=_primary"))).isEqualTo(200);
  }
}
