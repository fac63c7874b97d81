package io.varve.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.varve.cluster.IndexBlocks.Action;
import io.varve.rpc.ErrorBody;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexSettingsTest {

  private static final IndexMetadata BOOKS = Clusters.index("books", 1, 1);

  private static Map<String, @Nullable String> of(String name, @Nullable String value) {
    Map<String, @Nullable String> settings = new TreeMap<>();
    settings.put(name, value);
    return settings;
  }

  @Test
  void hasTheseDefaults() {
    assertThat(IndexSettings.defaults())
        .containsOnly(
            Map.entry("index.number_of_shards", "1"),
            Map.entry("index.number_of_replicas", "1"),
            Map.entry("index.refresh_interval", "1s"),
            Map.entry("index.codec", "default"),
            Map.entry("index.max_result_window", "10000"),
            Map.entry("index.max_slices_per_scroll", "1024"),
            Map.entry("index.max_slices_per_pit", "1024"),
            Map.entry("index.requests.cache.enable", "true"),
            Map.entry("index.mapping.total_fields.limit", "1000"),
            Map.entry("index.mapping.depth.limit", "20"),
            Map.entry("index.mapping.nested_fields.limit", "50"),
            Map.entry("index.mapping.nested_objects.limit", "10000"),
            Map.entry("index.mapping.field_name_length.limit", "9223372036854775807"),
            Map.entry("index.mapping.coerce", "true"),
            Map.entry("index.mapping.ignore_malformed", "false"),
            Map.entry("index.analyze.max_token_count", "10000"),
            Map.entry("index.max_ngram_diff", "1"),
            Map.entry("index.max_shingle_diff", "3"),
            Map.entry("index.unassigned.node_left.delayed_timeout", "1m"),
            Map.entry("index.hidden", "false"),
            Map.entry("index.blocks.read_only", "false"),
            Map.entry("index.blocks.read_only_allow_delete", "false"),
            Map.entry("index.blocks.read", "false"),
            Map.entry("index.blocks.write", "false"),
            Map.entry("index.blocks.metadata", "false"));
    assertThat(IndexSettings.refreshIntervalMillis(Map.of())).isEqualTo(1_000);
    assertThat(IndexSettings.maxResultWindow(Map.of())).isEqualTo(10_000);
    assertThat(IndexSettings.totalFieldsLimit(Map.of())).isEqualTo(1_000);
    assertThat(IndexSettings.delayedTimeoutMillis(Map.of())).isEqualTo(60_000);
  }

  @ParameterizedTest
  @CsvSource({
    "index.number_of_shards, 1024",
    "index.number_of_replicas, 0",
    "index.refresh_interval, -1",
    "index.refresh_interval, 500ms",
    "index.replication.type, SEGMENT",
    "index.replication.type, DOCUMENT",
    "index.codec, best_compression",
    "index.codec, lz4",
    "index.max_result_window, 1",
    "index.unassigned.node_left.delayed_timeout, 0",
    "index.blocks.write, true",
    "index.translog.durability, async",
    "index.translog.flush_threshold_size, 1gb",
    "index.store.type, hybridfs",
    "index.merge.policy.max_merged_segment, 5gb",
    "index.merge.scheduler.max_thread_count, 1",
    "index.queries.cache.enabled, false",
    "index.requests.cache.enable, false",
    "index.search.idle.after, 30s",
    "index.routing.allocation.include._tier_preference, data_content",
    "index.priority, 100",
    "index.mapping.coerce, true",
    "index.auto_expand_replicas, false",
  })
  void takes(String name, String value) {
    assertThat(IndexSettings.refusalAtCreation(of(name, value))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "index.number_of_shards ~ x ~ Failed to parse value [x] for setting [index.number_of_shards]",
        "index.number_of_shards ~ 0 ~ Failed to parse value [0] for setting [index.number_of_shards] must be >= 1",
        "index.number_of_shards ~ 1025 ~ Failed to parse value [1025] for setting [index.number_of_shards] must be <= 1024",
        "index.number_of_replicas ~ -1 ~ Failed to parse value [-1] for setting [index.number_of_replicas] must be >= 0",
        "index.refresh_interval ~ 5 ~ failed to parse setting [index.refresh_interval] with value [5] as a time value: unit is missing or unrecognized",
        "index.refresh_interval ~ -5s ~ failed to parse setting [index.refresh_interval] with value [-5s] as a time value: negative durations are not supported",
        "index.replication.type ~ BOTH ~ Could not parse ReplicationStrategy for [BOTH]",
        "index.codec ~ zip ~ unknown value for [index.codec] must be one of [default, lz4, best_compression, zlib] but is: zip",
        "index.blocks.write ~ yes ~ Failed to parse value [yes] as only [true] or [false] are allowed.",
        "index.mapping.coerce ~ no ~ Failed to parse value [no] as only [true] or [false] are allowed.",
        "index.number_of_routing_shards ~ 0 ~ Failed to parse value [0] for setting [index.number_of_routing_shards] must be >= 1",
      })
  void refuses(String name, String value, String reason) {
    ErrorBody error = IndexSettings.refusalAtCreation(of(name, value)).orElseThrow();
    assertThat(error.status()).isEqualTo(400);
    assertThat(error.type()).isEqualTo("illegal_argument_exception");
    assertThat(error.reason()).isEqualTo(reason);
  }

  @Test
  void refusesWhatItDoesNotKnow() {
    ErrorBody error = IndexSettings.refusalAtCreation(of("index.x", "1")).orElseThrow();
    assertThat(error.status()).isEqualTo(400);
    assertThat(error.type()).isEqualTo("settings_exception");
    assertThat(error.reason())
        .isEqualTo(
            "unknown setting [index.x] please check that any required plugins are installed, or"
                + " check the breaking changes documentation for removed settings");
  }

  @Test
  void refusesWhatOnlyTheSystemGives() {
    assertThat(IndexSettings.refusalAtCreation(of("index.uuid", "x")).orElseThrow().reason())
        .contains("private index setting [index.uuid] can not be set explicitly");
    assertThat(
            IndexSettings.refusalOfChange(BOOKS, of("index.creation_date", "1"))
                .orElseThrow()
                .reason())
        .startsWith("can not update private setting [index.creation_date]");
  }

  @Test
  void routingShardsAreAMultipleOfTheShards() {
    Map<String, String> settings = new TreeMap<>(Map.of("index.number_of_shards", "4"));
    settings.put("index.number_of_routing_shards", "8");
    assertThat(IndexSettings.contradiction(settings)).isEmpty();
    settings.put("index.number_of_routing_shards", "6");
    assertThat(IndexSettings.contradiction(settings).orElseThrow().reason())
        .isEqualTo("the number of source shards [4] must be a factor of [6]");
    settings.put("index.number_of_routing_shards", "2");
    assertThat(IndexSettings.contradiction(settings).orElseThrow().reason())
        .isEqualTo("index.number_of_routing_shards [2] must be >= index.number_of_shards [4]");
  }

  @ParameterizedTest
  @CsvSource({
    "index.number_of_shards, 2",
    "index.replication.type, DOCUMENT",
    "index.codec, best_compression",
  })
  void onlyDynamicSettingsChangeOnAnOpenIndex(String name, String value) {
    assertThat(IndexSettings.refusalOfChange(BOOKS, of(name, value)).orElseThrow().reason())
        .isEqualTo(
            "Can't update non dynamic settings [["
                + name
                + "]] for open indices [[books/"
                + BOOKS.uuid()
                + "]]");
  }

  @Test
  void nullGoesBackToTheDefault() {
    assertThat(IndexSettings.refusalOfChange(BOOKS, of("index.refresh_interval", null))).isEmpty();
  }

  @Test
  void namesMayLackTheirPrefix() {
    assertThat(IndexSettings.normalize(of("number_of_shards", "2")))
        .containsOnlyKeys("index.number_of_shards");
    assertThat(IndexSettings.normalize(of("index.codec", null))).containsOnlyKeys("index.codec");
  }

  @Test
  void saysOfEverySettingWhatItDoes() {
    assertThat(IndexSettings.all()).allSatisfy(s -> assertThat(s.effect()).isNotBlank());
    assertThat(IndexSettings.find("index.translog.durability").orElseThrow().effect())
        .isEqualTo(Setting.NO_EFFECT);
  }

  @ParameterizedTest
  @CsvSource({
    "index.blocks.read_only, WRITE, 403, FORBIDDEN/5/index read-only (api)",
    "index.blocks.read_only, DELETE_INDEX, 403, FORBIDDEN/5/index read-only (api)",
    "index.blocks.read, READ, 403, FORBIDDEN/7/index read (api)",
    "index.blocks.write, WRITE, 403, FORBIDDEN/8/index write (api)",
    "index.blocks.metadata, METADATA_READ, 403, FORBIDDEN/9/index metadata (api)",
    "index.blocks.read_only_allow_delete, WRITE, 429, 'TOO_MANY_REQUESTS/12/disk usage exceeded"
        + " flood-stage watermark, index has read-only-allow-delete block'",
  })
  void blocksForbid(String setting, Action action, int status, String text) {
    IndexMetadata blocked = BOOKS.withSettings(of(setting, "true"), 2);
    ErrorBody error = IndexBlocks.refusal(blocked, action).orElseThrow();
    assertThat(error.status()).isEqualTo(status);
    assertThat(error.type()).isEqualTo("cluster_block_exception");
    assertThat(error.reason()).isEqualTo("index [books] blocked by: [" + text + "];");
    assertThat(IndexBlocks.refusal(BOOKS, action)).isEmpty();
  }

  @Test
  void blockedWritesCanStillBeRead() {
    IndexMetadata blocked = BOOKS.withSettings(of("index.blocks.read_only", "true"), 2);
    assertThat(IndexBlocks.refusal(blocked, Action.READ)).isEmpty();
    assertThat(IndexBlocks.refusal(blocked, Action.METADATA_READ)).isEmpty();
  }
}
