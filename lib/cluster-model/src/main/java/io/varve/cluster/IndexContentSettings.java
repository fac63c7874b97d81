package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;
import static io.varve.cluster.Setting.fixed;

import io.varve.cluster.Setting.Change;
import io.varve.cluster.SettingKind.AtLeast;
import io.varve.cluster.SettingKind.Choice;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Size;
import io.varve.cluster.SettingKind.Text;
import io.varve.cluster.SettingKind.Whole;
import io.varve.cluster.SettingKind.Within;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Index settings for content: mapping, analysis, sort order, merges and compression, and the limits
 * on searches.
 */
final class IndexContentSettings {

  private static final SettingKind CODECS =
      new Choice(
          List.of("default", "lz4", "best_compression", "zlib", "zstd", "zstd_no_dict"),
          "unknown value for [index.codec] must be one of [default, lz4, best_compression, zlib]"
              + " but was: ",
          "");

  static final List<Setting> ALL =
      List.of(
          dynamic(
                  IndexSettings.REFRESH_INTERVAL,
                  SettingKinds.ANY_TIME,
                  "1s",
                  "interval between refreshes; -1 for none")
              .notReplicated(),
          dynamic(
                  IndexSettings.SEARCH_IDLE_AFTER,
                  SettingKinds.ANY_TIME,
                  "30s",
                  "time without a search after which a shard is refreshed only every"
                      + " varve.commit-millis, and before its next search; -1 for never. Applies to"
                      + " shards without replicas of indices whose index.refresh_interval is not set")
              .notReplicated(),
          dynamic(
                  "index.merge.policy.floor_segment",
                  new Size(1, 1L << 44),
                  null,
                  "minimum size that the selection of merges assumes for a segment; by default"
                      + " 16mb")
              .notReplicated(),
          dynamic(
                  "index.merge.policy.max_merged_segment",
                  new Size(1, 1L << 44),
                  null,
                  "largest segment that merges produce, except for force merges; by default 5gb")
              .notReplicated(),
          dynamic(
                  "index.merge.policy.segments_per_tier",
                  new AtLeast(2),
                  null,
                  "number of segments of similar size that are allowed before they are merged; by default 8")
              .notReplicated(),
          dynamic(
                  "index.merge.policy.max_merge_at_once",
                  new Whole(2, Integer.MAX_VALUE),
                  null,
                  "maximum number of segments in one merge, at most segments_per_tier; by default 10")
              .notReplicated(),
          dynamic(
                  "index.merge.policy.deletes_pct_allowed",
                  new Within(5, 50),
                  null,
                  "maximum percentage of deleted documents that merges tolerate; by default 20")
              .notReplicated(),
          dynamic(
                  "index.merge.policy.expunge_deletes_allowed",
                  new Within(0, 100),
                  null,
                  "percentage of deleted documents above which a force merge with"
                      + " only_expunge_deletes rewrites a segment; by default 10")
              .notReplicated(),
          dynamic(
                  IndexSettings.CODEC,
                  CODECS,
                  "default",
                  "compression of stored fields in new segments; a force merge re-encodes existing"
                      + " segments")
              .notReplicated(),
          dynamic(
                  IndexSettings.COMPRESSION_LEVEL,
                  new Whole(1, 6),
                  "3",
                  "compression level of zstd and zstd_no_dict; a higher level saves more space but"
                      + " makes fetches slower")
              .notReplicated(),
          fixed(
              IndexSettings.DERIVED_SOURCE,
              new Flag(),
              "false",
              "whether _source is derived from doc values, so that only the missing parts are stored"),
          dynamic(
                  IndexSettings.MAX_RESULT_WINDOW,
                  SettingKinds.POSITIVE,
                  "10000",
                  "maximum from + size of a search")
              .notReplicated(),
          dynamic(
                  IndexSettings.MAX_SLICES_PER_SCROLL,
                  SettingKinds.POSITIVE,
                  "1024",
                  "maximum number of slices of a scroll")
              .notReplicated(),
          dynamic(
                  IndexSettings.MAX_SLICES_PER_PIT,
                  SettingKinds.POSITIVE,
                  "1024",
                  "maximum number of slices of a point in time")
              .notReplicated(),
          dynamic(
                  IndexSettings.WARMER,
                  new Flag(),
                  "true",
                  "whether eager_global_ordinals are built before a reader becomes "
                      + "visible, not by its first search")
              .notReplicated(),
          dynamic(
                  IndexSettings.REQUEST_CACHE,
                  new Flag(),
                  "true",
                  "whether responses of searches with size 0 are cached")
              .notReplicated(),
          dynamic(
              IndexSettings.TOTAL_FIELDS_LIMIT,
              SettingKinds.COUNT,
              "1000",
              "maximum number of fields in a mapping"),
          dynamic(
              "index.mapping.depth.limit",
              SettingKinds.POSITIVE,
              "20",
              "maximum depth of objects in a mapping"),
          dynamic(
              "index.mapping.nested_fields.limit",
              SettingKinds.COUNT,
              "50",
              "maximum number of nested mappings"),
          dynamic(
              "index.mapping.nested_objects.limit",
              SettingKinds.COUNT,
              "10000",
              "maximum number of nested objects in a document"),
          dynamic(
              "index.mapping.field_name_length.limit",
              new Whole(1, Long.MAX_VALUE),
              "9223372036854775807",
              "maximum length of a field name in characters"),
          unchanging("index.mapping.coerce", new Flag(), "true", "default of coerce of fields"),
          unchanging(
              "index.mapping.ignore_malformed",
              new Flag(),
              "false",
              "default of ignore_malformed of fields"),
          unchanging("index.analysis.*", new Text(), null, "analyzers and their parts"),
          dynamic(
                  "index.analyze.max_token_count",
                  SettingKinds.POSITIVE,
                  "10000",
                  "maximum number of tokens in an _analyze response")
              .notReplicated(),
          dynamic(
              "index.max_ngram_diff",
              SettingKinds.COUNT,
              "1",
              "maximum difference between min_gram and max_gram"),
          dynamic(
              "index.max_shingle_diff",
              SettingKinds.COUNT,
              "3",
              "maximum difference between the shingle sizes"),
          fixed(
              "index.sort.field",
              new Text(),
              null,
              "fields by which the documents in a segment are sorted"),
          fixed("index.sort.order", new Text(), null, "asc or desc per field"),
          fixed("index.sort.mode", new Text(), null, "min or max per field"),
          fixed("index.sort.missing", new Text(), null, "_last or _first per field"),
          dynamic(
                  "index.max_inner_result_window",
                  SettingKinds.POSITIVE,
                  "100",
                  "maximum from + size of inner hits")
              .notReplicated(),
          dynamic(
                  "index.max_adjacency_matrix_filters",
                  new Whole(2, 10_000),
                  "100",
                  "maximum number of filters of an adjacency_matrix aggregation")
              .notReplicated(),
          dynamic(
                  "index.search.concurrent_segment_search.mode",
                  SettingKinds.words("none", "all", "auto"),
                  null,
                  "search.concurrent_segment_search.mode of this index")
              .notReplicated(),
          dynamic(
                  "index.search.concurrent.max_slice_count",
                  SettingKinds.COUNT,
                  null,
                  "search.concurrent.max_slice_count of this index")
              .notReplicated(),
          dynamic(
                  "index.max_rescore_window",
                  SettingKinds.POSITIVE,
                  "10000",
                  "maximum window_size of a rescore")
              .notReplicated(),
          dynamic(
                  "index.max_docvalue_fields_search",
                  SettingKinds.COUNT,
                  "100",
                  "maximum number of docvalue_fields in a search")
              .notReplicated(),
          dynamic(
                  "index.max_terms_count",
                  SettingKinds.POSITIVE,
                  "65536",
                  "maximum number of terms in a terms query, and of ids in an ids query")
              .notReplicated(),
          dynamic(
                  "index.max_regex_length",
                  SettingKinds.POSITIVE,
                  "1000",
                  "maximum length of a regular expression")
              .notReplicated(),
          dynamic(
                  "index.query.max_determinized_states",
                  new Whole(1, 1_000_000),
                  "10000",
                  "maximum max_determinized_states of a query, and maximum states of an "
                      + "expanded regular expression; compiling 10000 states takes up to 80 MB")
              .notReplicated(),
          dynamic(
                  "index.query.max_query_string_depth",
                  new Whole(1, 500),
                  "100",
                  "maximum nesting of parentheses in query_string and simple_query_string")
              .notReplicated(),
          dynamic(
                  "index.highlight.max_analyzed_offset",
                  SettingKinds.POSITIVE,
                  "1000000",
                  "maximum number of characters analyzed for highlighting")
              .notReplicated(),
          dynamic(
                  "index.query.default_field",
                  new Text(),
                  null,
                  "default fields of queries that name none; all fields if not set")
              .notReplicated());

  private IndexContentSettings() {}

  private static Setting unchanging(
      String name, SettingKind kind, @Nullable String defaultValue, String effect) {
    return new Setting(name, kind, defaultValue, Change.STATIC, effect, true);
  }
}
