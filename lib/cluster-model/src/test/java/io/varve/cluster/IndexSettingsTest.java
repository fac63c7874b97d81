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
            Map.entry("index.highlight.max_analyzed_offset", "1000000"),
            Map.entry("index.max_docvalue_fields_search", "100"),
            Map.entry("index.max_inner_result_window", "100"),
            Map.entry("index.max_adjacency_matrix_filters", "100"),
            Map.entry("index.max_regex_length", "1000"),
            Map.entry("index.max_rescore_window", "10000"),
            Map.entry("index.query.max_determinized_states", "10000"),
            Map.entry("index.query.max_query_string_depth", "100"),
            Map.entry("index.max_terms_count", "65536"),
            Map.entry("index.number_of_shards", "1"),
            Map.entry("index.number_of_replicas", "1"),
            Map.entry("index.auto_expand_replicas", "false"),
            Map.entry("index.write.wait_for_active_shards", "1"),
            Map.entry("index.number_of_search_replicas", "0"),
            Map.entry("index.soft_deletes.retention_lease.period", "12h"),
            Map.entry("index.soft_deletes.retention_lease.max_bytes", "-1"),
            Map.entry("index.replication.consistency", "eventual"),
            Map.entry("index.replication.min_in_sync", "2"),
            Map.entry("index.replication.appeals", "watermark"),
            Map.entry("index.log.retention", "forever"),
            Map.entry("index.log.retention.min_copies", "2"),
            Map.entry("index.log.retention.grace", "30m"),
            Map.entry("index.routing.allocation.total_shards_per_node", "-1"),
            Map.entry("index.search.slowlog.threshold.query.warn", "-1"),
            Map.entry("index.search.slowlog.threshold.query.info", "-1"),
            Map.entry("index.search.slowlog.threshold.query.debug", "-1"),
            Map.entry("index.search.slowlog.threshold.query.trace", "-1"),
            Map.entry("index.search.slowlog.threshold.fetch.warn", "-1"),
            Map.entry("index.search.slowlog.threshold.fetch.info", "-1"),
            Map.entry("index.search.slowlog.threshold.fetch.debug", "-1"),
            Map.entry("index.search.slowlog.threshold.fetch.trace", "-1"),
            Map.entry("index.indexing.slowlog.threshold.index.warn", "-1"),
            Map.entry("index.indexing.slowlog.threshold.index.info", "-1"),
            Map.entry("index.indexing.slowlog.threshold.index.debug", "-1"),
            Map.entry("index.indexing.slowlog.threshold.index.trace", "-1"),
            Map.entry("index.search.slowlog.level", "TRACE"),
            Map.entry("index.indexing.slowlog.level", "TRACE"),
            Map.entry("index.indexing.slowlog.source", "1000"),
            Map.entry("index.indexing.slowlog.reformat", "true"),
            Map.entry("index.refresh_interval", "1s"),
            Map.entry("index.search.idle.after", "30s"),
            Map.entry("index.codec", "default"),
            Map.entry("index.codec.compression_level", "3"),
            Map.entry("index.derived_source.enabled", "false"),
            Map.entry("index.max_result_window", "10000"),
            Map.entry("index.max_slices_per_scroll", "1024"),
            Map.entry("index.max_slices_per_pit", "1024"),
            Map.entry("index.requests.cache.enable", "true"),
            Map.entry("index.warmer.enabled", "true"),
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
    assertThat(IndexSettings.searchIdleAfterMillis(Map.of())).isEqualTo(30_000);
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
    "index.derived_source.enabled, true",
    "index.max_result_window, 1",
    "index.unassigned.node_left.delayed_timeout, 0",
    "index.blocks.write, true",
    "index.log.retention, auto",
    "index.log.retention.min_copies, 1",
    "index.log.retention.grace, 0",
    "index.translog.durability, async",
    "index.translog.flush_threshold_size, 1gb",
    "index.store.type, hybridfs",
    "index.merge.policy.max_merged_segment, 5gb",
    "index.merge.scheduler.max_thread_count, 1",
    "index.queries.cache.enabled, false",
    "index.requests.cache.enable, false",
    "index.warmer.enabled, false",
    "index.search.idle.after, 30s",
    "index.routing.allocation.include._tier_preference, data_content",
    "index.priority, 100",
    "index.mapping.coerce, true",
    "index.auto_expand_replicas, false",
    "index.auto_expand_replicas, 0-1",
    "index.auto_expand_replicas, 2-all",
    "index.write.wait_for_active_shards, 2",
    "index.write.wait_for_active_shards, all",
    "index.merge.policy, tiered",
    "index.merge.policy.floor_segment, 2mb",
    "index.merge.policy.segments_per_tier, 2.5",
    "index.merge.policy.deletes_pct_allowed, 50.0",
    "index.search.slowlog.threshold.query.warn, 500micros",
    "index.search.slowlog.level, info",
    "index.indexing.slowlog.source, 200",
    "index.indexing.slowlog.source, false",
  })
  void takes(String name, String value) {
    assertThat(IndexSettings.refusalAtCreation(of(name, value))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      value = {
        "index.number_of_shards ~ x ~ Failed to parse value [x] for setting"
            + " [index.number_of_shards]",
        "index.number_of_shards ~ 0 ~ Failed to parse value [0] for setting"
            + " [index.number_of_shards] must be >= 1",
        "index.number_of_shards ~ 1025 ~ Failed to parse value [1025] for setting"
            + " [index.number_of_shards] must be <= 1024",
        "index.number_of_replicas ~ -1 ~ Failed to parse value [-1] for setting"
            + " [index.number_of_replicas] must be >= 0",
        "index.refresh_interval ~ 5 ~ failed to parse setting [index.refresh_interval] with value"
            + " [5] as a time value: unit is missing or unrecognized",
        "index.refresh_interval ~ -5s ~ failed to parse setting [index.refresh_interval] with value"
            + " [-5s] as a time value: negative durations are not supported",
        "index.replication.type ~ BOTH ~ Could not parse ReplicationStrategy for [BOTH]",
        "index.codec ~ zip ~ unknown value for [index.codec] must be one of [default, lz4,"
            + " best_compression, zlib] but was: zip",
        "index.blocks.write ~ yes ~ Failed to parse value [yes] as only [true] or [false] are"
            + " allowed.",
        "index.mapping.coerce ~ no ~ Failed to parse value [no] as only [true] or [false] are"
            + " allowed.",
        "index.auto_expand_replicas ~ true ~ failed to parse [index.auto_expand_replicas] from"
            + " value: [true] at index -1",
        "index.auto_expand_replicas ~ 0-x ~ failed to parse [index.auto_expand_replicas] from"
            + " value: [0-x] at index 1",
        "index.auto_expand_replicas ~ 2-1 ~ [index.auto_expand_replicas] minReplicas must be =<"
            + " maxReplicas but wasn't 2 > 1",
        "index.merge.policy ~ log_byte_size ~ [log_byte_size] is not supported for setting"
            + " [index.merge.policy], only [tiered]",
        "index.merge.policy.max_merge_at_once ~ 1 ~ Failed to parse value [1] for setting"
            + " [index.merge.policy.max_merge_at_once] must be >= 2",
        "index.merge.policy.deletes_pct_allowed ~ 4.9 ~ Failed to parse value [4.9] for setting"
            + " [index.merge.policy.deletes_pct_allowed] must be >= 5.0",
        "index.merge.policy.deletes_pct_allowed ~ 51 ~ Failed to parse value [51] for setting"
            + " [index.merge.policy.deletes_pct_allowed] must be <= 50.0",
        "index.indexing.slowlog.source ~ some ~ Failed to parse value [some] as only [true] or"
            + " [false] are allowed.",
        "index.search.slowlog.threshold.query.warn ~ soon ~ failed to parse setting"
            + " [index.search.slowlog.threshold.query.warn] with value [soon] as a time value: unit"
            + " is missing or unrecognized",
        "index.write.wait_for_active_shards ~ -1 ~ shard count cannot be a negative value",
        "index.write.wait_for_active_shards ~ most ~ cannot parse ActiveShardCount[most]",
        "index.number_of_routing_shards ~ 0 ~ Failed to parse value [0] for setting"
            + " [index.number_of_routing_shards] must be >= 1",
      })
  void refuses(String name, String value, String reason) {
    ErrorBody error = IndexSettings.refusalAtCreation(of(name, value)).orElseThrow();
    assertThat(error.status()).isEqualTo(400);
    assertThat(error.type()).isEqualTo("illegal_argument_exception");
    assertThat(error.reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @CsvSource({"2, 1, false", "all, 0, false", "0, 0, false", "2, 0, true", "3, 1, true"})
  void theNumberOfCopiesToWaitForIsAtMostThatOfTheIndex(
      String waitedFor, String replicas, boolean refused) {
    assertThat(
            IndexSettingRules.contradiction(
                Map.of(
                    IndexSettings.WAIT_FOR_ACTIVE_SHARDS,
                    waitedFor,
                    IndexSettings.NUMBER_OF_REPLICAS,
                    replicas)))
        .matches(error -> error.isPresent() == refused);
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
            IndexSettingRules.refusalOfChange(BOOKS, of("index.creation_date", "1"))
                .orElseThrow()
                .reason())
        .startsWith("can not update private setting [index.creation_date]");
  }

  @Test
  void routingShardsAreAMultipleOfTheShards() {
    Map<String, String> settings = new TreeMap<>(Map.of("index.number_of_shards", "4"));
    settings.put("index.number_of_routing_shards", "8");
    assertThat(IndexSettingRules.contradiction(settings)).isEmpty();
    settings.put("index.number_of_routing_shards", "6");
    assertThat(IndexSettingRules.contradiction(settings).orElseThrow().reason())
        .isEqualTo("the number of source shards [4] must be a factor of [6]");
    settings.put("index.number_of_routing_shards", "2");
    assertThat(IndexSettingRules.contradiction(settings).orElseThrow().reason())
        .isEqualTo("index.number_of_routing_shards [2] must be >= index.number_of_shards [4]");
  }

  @ParameterizedTest
  @CsvSource({
    "index.number_of_shards, 2",
    "index.replication.type, DOCUMENT",
    "index.analysis.analyzer.a.type, standard",
  })
  void onlyDynamicSettingsChangeOnAnOpenIndex(String name, String value) {
    assertThat(IndexSettingRules.refusalOfChange(BOOKS, of(name, value)).orElseThrow().reason())
        .isEqualTo(
            "Can't update non dynamic settings [["
                + name
                + "]] for open indices [[books/"
                + BOOKS.uuid()
                + "]]");
  }

  @ParameterizedTest
  @CsvSource({"default", "lz4", "best_compression", "zlib", "zstd", "zstd_no_dict"})
  void aCodecCanBeGivenToAnOpenIndex(String codec) {
    assertThat(IndexSettingRules.refusalOfChange(BOOKS, of("index.codec", codec))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"qat_lz4", "ZSTD", "lucene_default", "''"})
  void anUnknownCodecIsRefused(String codec) {
    assertThat(IndexSettings.refusalAtCreation(of("index.codec", codec)).orElseThrow().reason())
        .isEqualTo(
            "unknown value for [index.codec] must be one of [default, lz4, best_compression, zlib]"
                + " but was: "
                + codec);
  }

  @ParameterizedTest
  @CsvSource({
    "0, ' must be >= 1'",
    "-1, ' must be >= 1'",
    "7, ' must be <= 6'",
    "x, ''",
    "2.5, ''"
  })
  void aLevelIsAWholeNumberFromOneToSix(String level, String rest) {
    assertThat(
            IndexSettings.refusalAtCreation(of("index.codec.compression_level", level))
                .orElseThrow()
                .reason())
        .isEqualTo(
            "Failed to parse value ["
                + level
                + "] for setting [index.codec.compression_level]"
                + rest);
  }

  @ParameterizedTest
  @CsvSource({"default", "lz4", "best_compression", "zlib"})
  void aLevelIsRefusedWithACodecThatHasNone(String codec) {
    Map<String, String> settings =
        Map.of("index.codec", codec, "index.codec.compression_level", "3");
    assertThat(IndexSettingRules.contradiction(settings).orElseThrow().reason())
        .isEqualTo("Compression level cannot be set for the " + codec + " codec.");
    assertThat(IndexSettingRules.contradiction(Map.of("index.codec.compression_level", "3")))
        .isPresent();
    assertThat(
            IndexSettingRules.contradiction(
                Map.of("index.codec", "zstd", "index.codec.compression_level", "6")))
        .isEmpty();
  }

  @Test
  void nullGoesBackToTheDefault() {
    assertThat(IndexSettingRules.refusalOfChange(BOOKS, of("index.refresh_interval", null)))
        .isEmpty();
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
        .startsWith(Setting.NO_EFFECT);
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

  @ParameterizedTest(name = "{0} with {1} replicas, {2} in sync: refused {3}")
  @CsvSource({
    "strong,   1, 2, false",
    "strong,   0, 2, true",
    "strong,   0, 1, false",
    "strong,   2, 4, true",
    "eventual, 0, 2, false",
  })
  void aStrongIndexNeedsAsManyCopiesAsMustBeInSync(
      String consistency, String replicas, String inSync, boolean refused) {
    assertThat(
            IndexSettingRules.contradiction(
                    Map.of(
                        "index.replication.consistency", consistency,
                        "index.number_of_replicas", replicas,
                        "index.replication.min_in_sync", inSync))
                .filter(error -> error.status() == 400)
                .filter(error -> String.valueOf(error.reason()).contains("min_in_sync")))
        .matches(found -> found.isPresent() == refused);
  }
}
