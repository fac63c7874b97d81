package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterSettingsTest {

  @Test
  void hasTheseDefaults() {
    assertThat(ClusterSettings.defaults())
        .containsOnly(
            Map.entry("indices.query.bool.max_clause_count", "1024"),
            Map.entry("search.allow_expensive_queries", "true"),
            Map.entry("cluster.indices.replication.strategy", "SEGMENT"),
            Map.entry("action.auto_create_index", "true"),
            Map.entry("action.destructive_requires_name", "false"),
            Map.entry("search.default_search_timeout", "-1"),
            Map.entry("search.cancel_after_time_interval", "-1"),
            Map.entry("search.default_allow_partial_results", "true"),
            Map.entry("search.max_open_scroll_context", "500"),
            Map.entry("search.max_buckets", "65535"),
            Map.entry("indices.breaker.request.limit", "60%"),
            Map.entry("indices.breaker.total.limit", "95%"),
            Map.entry("search.max_open_pit_context", "300"),
            Map.entry("search.default_keep_alive", "5m"),
            Map.entry("indices.requests.cache.size", "1%"),
            Map.entry("search.max_keep_alive", "24h"),
            Map.entry("point_in_time.max_keep_alive", "24h"),
            Map.entry("cluster.routing.allocation.enable", "all"),
            Map.entry("compatibility.identity", "opensearch"));
  }

  @ParameterizedTest
  @CsvSource({
    "cluster.indices.replication.strategy, DOCUMENT",
    "cluster.remote.europe.seeds, '127.0.0.1:9200'",
    "search.max_buckets, 65535",
    "search.default_search_timeout, -1",
    "cluster.routing.allocation.enable, all",
    "cluster.routing.allocation.disk.watermark.low, 85%",
    "logger.org.opensearch, DEBUG",
  })
  void takes(String name, String value) {
    assertThat(ClusterSettings.refusal("transient", Map.of(name, value))).isEmpty();
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    assertThat(ClusterSettings.refusal("persistent", Map.of("foo", "1")).orElseThrow())
        .satisfies(error -> {
          assertThat(error.status()).isEqualTo(400);
          assertThat(error.type()).isEqualTo("settings_exception");
          assertThat(error.reason()).isEqualTo("persistent setting [foo], not recognized");
        });
  }

  @Test
  void refusesBadValues() {
    assertThat(
            ClusterSettings.refusal(
                    "persistent", Map.of("cluster.indices.replication.strategy", "x"))
                .orElseThrow()
                .reason())
        .isEqualTo("Could not parse ReplicationStrategy for [x]");
  }

  @Test
  void transientWinsOverPersistentOverDefault() {
    String name = ClusterSettings.REPLICATION_STRATEGY;
    ClusterState state = ClusterState.EMPTY;
    assertThat(ClusterSettings.value(state, name)).isEqualTo("SEGMENT");
    state =
        state.apply(new ClusterEvent.ClusterSettingsChanged(Map.of(name, "DOCUMENT"), Map.of()));
    assertThat(ClusterSettings.value(state, name)).isEqualTo("DOCUMENT");
    state =
        state.apply(
            new ClusterEvent.ClusterSettingsChanged(
                Map.of(name, "DOCUMENT"), Map.of(name, "SEGMENT")));
    assertThat(ClusterSettings.value(state, name)).isEqualTo("SEGMENT");
  }

  @Test
  void knowsTheAddressesOfOtherClusters() {
    ClusterState state =
        ClusterState.EMPTY.apply(
            new ClusterEvent.ClusterSettingsChanged(
                Map.of("cluster.remote.europe.seeds", "10.0.0.1:9200, 10.0.0.2:9200"), Map.of()));
    assertThat(ClusterSettings.remoteSeeds(state))
        .containsExactly(Map.entry("europe", List.of("10.0.0.1:9200", "10.0.0.2:9200")));
  }

  @ParameterizedTest
  @CsvSource({
    "1d, 86400000",
    "2h, 7200000",
    "3m, 180000",
    "4s, 4000",
    "5ms, 5",
    "6000micros, 6",
    "7000000nanos, 7",
    "-1, -1",
    "0, 0",
    "1 S, 1000"
  })
  void readsTimes(String text, long millis) {
    assertThat(TimeValues.parseMillis("t", text)).isEqualTo(millis);
  }
}
