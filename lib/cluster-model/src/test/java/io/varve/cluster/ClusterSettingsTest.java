package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.varve.rpc.ApiException;
import io.varve.text.ByteValues;
import io.varve.text.TimeValues;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClusterSettingsTest {

  @Test
  void hasTheseDefaults() {
    assertThat(ClusterSettings.defaults())
        .containsOnly(
            Map.entry("cluster.max_shards_per_node", "1000"),
            Map.entry("indices.query.bool.max_clause_count", "1024"),
            Map.entry("indices.query.bool.max_nested_depth", "100"),
            Map.entry("search.allow_expensive_queries", "true"),
            Map.entry("cluster.indices.replication.strategy", "SEGMENT"),
            Map.entry("action.auto_create_index", "true"),
            Map.entry("action.destructive_requires_name", "false"),
            Map.entry("search.default_search_timeout", "-1"),
            Map.entry("search.cancel_after_time_interval", "-1"),
            Map.entry("search.default_allow_partial_results", "true"),
            Map.entry("search.max_open_scroll_context", "500"),
            Map.entry("cluster.index.restrict.replication.type", "false"),
            Map.entry("segrep.pressure.enabled", "true"),
            Map.entry("segrep.pressure.checkpoint.limit", "30"),
            Map.entry("segrep.pressure.time.limit", "5m"),
            Map.entry("remote_store.segment.pressure.enabled", "true"),
            Map.entry("remote_store.segment.pressure.consecutive_failures.limit", "5"),
            Map.entry("remote_store.segment.pressure.bytes_lag.variance_factor", "10.0"),
            Map.entry("remote_store.segment.pressure.time_lag.variance_factor", "10.0"),
            Map.entry("remote_store.moving_average_window_size", "20"),
            Map.entry("segrep.replication.time.limit", "0"),
            Map.entry("cluster.routing.search.lag.limit", "30s"),
            Map.entry("segrep.pressure.replica.stale.limit", "0.5"),
            Map.entry("indices.replication.merges.warmer.enabled", "true"),
            Map.entry("indices.replication.merges.warmer.max_bytes_per_sec", "-1"),
            Map.entry("indices.replication.merges.warmer.min_segment_size_threshold", "5mb"),
            Map.entry("indices.replication.merges.warmer.timeout", "15m"),
            Map.entry("indices.reencode.max_bytes_per_sec", "20mb"),
            Map.entry("cluster.rereplicate.confirm_timeout", "5s"),
            Map.entry("cluster.rereplicate.max_waiters_per_record", "1000"),
            Map.entry("cluster.rereplicate.max_records_per_shard", "100000"),
            Map.entry("cluster.rereplicate.max_requests_per_second", "10000"),
            Map.entry("indices.recovery.max_bytes_per_sec", "-1"),
            Map.entry("ccr.indices.recovery.max_bytes_per_sec", "40mb"),
            Map.entry("indices.merged_segment_checkpoint.retention_time", "15m"),
            Map.entry("search.max_buckets", "65535"),
            Map.entry("search.max_aggregations", "1000"),
            Map.entry("search.max_rescores", "10"),
            Map.entry("search.max_sort_fields", "100"),
            Map.entry("search.max_inner_hits", "100"),
            Map.entry("search.query.max_query_string_length", "32000"),
            Map.entry("indices.breaker.total.use_real_memory", "true"),
            Map.entry("cluster.log.snapshot.records", "1000"),
            Map.entry("cluster.log.snapshot.size", "8mb"),
            Map.entry("search.concurrent_segment_search.mode", "auto"),
            Map.entry("indices.breaker.request.limit", "60%"),
            Map.entry("indices.breaker.fielddata.limit", "40%"),
            Map.entry("indices.breaker.request.overhead", "1.0"),
            Map.entry("indices.breaker.fielddata.overhead", "1.03"),
            Map.entry("indices.breaker.total.limit", "95%"),
            Map.entry("search.max_open_pit_context", "300"),
            Map.entry("search.default_keep_alive", "5m"),
            Map.entry("indices.requests.cache.size", "1%"),
            Map.entry("cluster.routing.use_adaptive_replica_selection", "true"),
            Map.entry("cluster.routing.replica_selection", "adaptive"),
            Map.entry("cluster.routing.replica_selection.formula", "c3"),
            Map.entry("cluster.routing.replica_selection.probe_interval", "20ms"),
            Map.entry("cluster.routing.hedging", "true"),
            Map.entry("cluster.routing.hedging.budget", "0.05"),
            Map.entry("cluster.routing.hedging.max_delay", "5s"),
            Map.entry("cluster.routing.hedging.percentile", "0.98"),
            Map.entry("cluster.routing.node_concurrent_searches", "1024"),
            Map.entry("cluster.routing.superseded_primary.grace", "1s"),
            Map.entry("cluster.routing.bulk.max_request_size", "8mb"),
            Map.entry("cluster.routing.retries.budget", "0.1"),
            Map.entry("cluster.search.ignore_awareness_attributes", "false"),
            Map.entry("indices.replication.open_before_copy.enabled", "true"),
            Map.entry("indices.replication.open_before_copy.min_size", "32mb"),
            Map.entry("network.breaker.inflight_requests.limit", "100%"),
            Map.entry("network.breaker.inflight_requests.overhead", "2.0"),
            Map.entry("search.max_keep_alive", "24h"),
            Map.entry("point_in_time.max_keep_alive", "24h"),
            Map.entry("cluster.routing.search_replica.strict", "true"),
            Map.entry("cluster.routing.allocation.allow_rebalance", "indices_all_active"),
            Map.entry("cluster.routing.allocation.balance.prefer_primary", "false"),
            Map.entry("cluster.routing.allocation.cluster_concurrent_rebalance", "2"),
            Map.entry("cluster.routing.allocation.disk.threshold_enabled", "true"),
            Map.entry("cluster.routing.allocation.disk.watermark.flood_stage", "95%"),
            Map.entry("cluster.routing.allocation.disk.watermark.high", "90%"),
            Map.entry("cluster.routing.allocation.disk.watermark.low", "85%"),
            Map.entry("cluster.routing.allocation.node_concurrent_recoveries", "2"),
            Map.entry("cluster.routing.allocation.same_shard.host", "false"),
            Map.entry("cluster.routing.allocation.total_shards_per_node", "-1"),
            Map.entry("cluster.routing.rebalance.enable", "all"),
            Map.entry("cluster.routing.allocation.enable", "all"),
            Map.entry("cluster.index.restrict.replication.type", "false"),
            Map.entry("cluster.consistency.read.timeout", "5s"),
            Map.entry("cluster.consistency.read.replica_wait", "100ms"),
            Map.entry("cluster.consistency.write.visible_timeout", "30s"),
            Map.entry("cluster.consistency.session.max_shards", "128"),
            Map.entry("compatibility.identity", "opensearch"));
  }

  @ParameterizedTest
  @CsvSource({
    "cluster.indices.replication.strategy, DOCUMENT",
    "cluster.remote.europe.seeds, '127.0.0.1:9200'",
    "search.max_buckets, 65535",
    "search.concurrent_segment_search.mode, none",
    "search.concurrent.max_slice_count, 0",
    "search.default_search_timeout, -1",
    "cluster.routing.allocation.enable, all",
    "cluster.routing.allocation.disk.watermark.low, 85%",
    "logger.org.opensearch, DEBUG",
    "logger._root, warn",
    "indices.breaker.request.overhead, 1.5",
    "indices.breaker.fielddata.overhead, 0",
    "cluster.consistency.read.timeout, 0",
    "cluster.consistency.read.timeout, 5m",
    "cluster.consistency.read.replica_wait, 1m",
    "cluster.consistency.write.visible_timeout, 10m",
    "cluster.consistency.session.max_shards, 1",
    "cluster.consistency.session.max_shards, 200",
    "cluster.routing.bulk.max_request_size, 64kb",
    "cluster.routing.bulk.max_request_size, 1gb",
    "indices.reencode.max_bytes_per_sec, 64kb",
    "indices.recovery.max_bytes_per_sec, 40mb",
    "ccr.indices.recovery.max_bytes_per_sec, 10mb",
    "ccr.indices.recovery.max_bytes_per_sec, -1",
    "indices.recovery.max_bytes_per_sec, -1",
    "indices.reencode.max_bytes_per_sec, 16gb",
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
  void refusesWhatIsNoLevelOfALogger() {
    assertThat(ClusterSettings.refusal("persistent", Map.of("logger.io.varve", "loud")))
        .hasValueSatisfying(error -> {
          assertThat(error.status()).isEqualTo(400);
          assertThat(error.type()).isEqualTo("illegal_argument_exception");
          assertThat(error.reason()).isEqualTo("Unknown level constant [LOUD].");
        });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "indices.breaker.fielddata.type",
        "indices.breaker.request.type",
        "network.breaker.inflight_requests.type",
        "logger.level"
      })
  void refusesWhatOpenSearchReadsFromItsConfigurationFileOnly(String name) {
    assertThat(ClusterSettings.refusal("transient", Map.of(name, "noop")).orElseThrow().reason())
        .isEqualTo("transient setting [" + name + "], not dynamically updateable");
  }

  @Test
  void refusesBreakersThatDoNotExist() {
    String name = "indices.breaker.script.limit";
    assertThat(ClusterSettings.refusal("transient", Map.of(name, "1%")).orElseThrow().reason())
        .isEqualTo("transient setting [" + name + "], not recognized");
  }

  @ParameterizedTest
  @CsvSource({
    "cluster.consistency.read.timeout, -1",
    "cluster.consistency.read.timeout, 301s",
    "cluster.consistency.read.replica_wait, 61s",
    "cluster.consistency.write.visible_timeout, 11m",
    "cluster.consistency.session.max_shards, 0",
    "cluster.consistency.session.max_shards, 201",
    "cluster.routing.bulk.max_request_size, 63kb",
    "cluster.routing.bulk.max_request_size, 2gb",
    "indices.reencode.max_bytes_per_sec, 63kb",
    "cluster.log.snapshot.records, 9",
    "cluster.log.snapshot.records, 1000001",
    "cluster.log.snapshot.size, 63kb",
    "cluster.log.snapshot.size, 2gb",
    "indices.breaker.request.overhead, -0.1",
    "search.max_aggregations, -1",
    "search.max_rescores, -1",
    "search.max_sort_fields, -1",
    "search.max_inner_hits, -1",
    "indices.query.bool.max_nested_depth, 0",
    "indices.query.bool.max_nested_depth, 101",
    "search.query.max_query_string_length, -1",
    "indices.reencode.max_bytes_per_sec, 17gb",
    "indices.reencode.max_bytes_per_sec, -1",
  })
  void refusesWhatIsOutOfRange(String name, String value) {
    assertThat(ClusterSettings.refusal("transient", Map.of(name, value)).orElseThrow().reason())
        .contains(name)
        .contains("must be");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "indices.recovery.max_bytes_per_sec",
        "ccr.indices.recovery.max_bytes_per_sec",
        "indices.replication.merges.warmer.max_bytes_per_sec",
        "indices.replication.open_before_copy.min_size",
        "indices.replication.merges.warmer.min_segment_size_threshold"
      })
  void refusesAPercentageWhereNothingIsAWhole(String name) {
    assertThat(ClusterSettings.refusal("transient", Map.of(name, "40%")).orElseThrow().reason())
        .contains(name);
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
    assertThat(TimeValues.clampedMillis("t", text)).isEqualTo(millis);
  }

  @ParameterizedTest
  @ValueSource(strings = {"36501d", "999999d", "9223372036854775807d", "9223372036854775807ms"})
  void refusesTimesOfMoreThanAHundredYearsAndClampsStoredOnes(String text) {
    assertThatThrownBy(() -> TimeValues.parseMillis("t", text))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("[" + text + "]")
        .hasMessageContaining("must not be more than [36500d]");
    assertThat(TimeValues.isTooLong(TimeValues.clampedMillis("t", text))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "d", "1e9d", "1.5s", "1.5.2s", "-5s", "99999999999999999999d"})
  void refusesWhatIsNoTime(String text) {
    assertThatThrownBy(() -> TimeValues.parseMillis("t", text)).isInstanceOf(ApiException.class);
    assertThatThrownBy(() -> TimeValues.clampedMillis("t", text)).isInstanceOf(ApiException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5", "b", "-5b", "1e9b", "1e999999999kb", "1.5.2kb", "9999999999999999999b"})
  void refusesWhatIsNoSize(String text) {
    assertThatThrownBy(() -> ByteValues.parseBytes("s", text))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("[" + text + "]");
  }

  @ParameterizedTest
  @CsvSource({"-1, -1", "0, 0", "5b, 5", "1.5kb, 1536", "2G, 2147483648", "0.5pb, 562949953421312"})
  void readsSizes(String text, long bytes) {
    assertThat(ByteValues.parseBytes("s", text)).isEqualTo(bytes);
  }
}
