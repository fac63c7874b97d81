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
 * Settings of an index that say what a document may be and how it is kept (mapping, analysis,
 * order, compression), and how much a search of it may ask for.
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
              "time between refreshes; -1 for none"),
          dynamic(
              "index.merge.policy.floor_segment",
              new Size(1, 1L << 44),
              null,
              "smaller segments count as this large when merges are chosen; by default 16mb"),
          dynamic(
              "index.merge.policy.max_merged_segment",
              new Size(1, 1L << 44),
              null,
              "largest segment that merges produce, forced ones apart; by default 5gb"),
          dynamic(
              "index.merge.policy.segments_per_tier",
              new AtLeast(2),
              null,
              "segments of about one size before they are merged; by default 8"),
          dynamic(
              "index.merge.policy.max_merge_at_once",
              new Whole(2, Integer.MAX_VALUE),
              null,
              "segments that one merge may take, segments_per_tier at most; by default 10"),
          dynamic(
              "index.merge.policy.deletes_pct_allowed",
              new Within(5, 50),
              null,
              "percentage of deleted documents that merges let stay; by default 20"),
          dynamic(
              "index.merge.policy.expunge_deletes_allowed",
              new Within(0, 100),
              null,
              "percentage of deleted documents from which on a forced merge with"
                  + " only_expunge_deletes rewrites a segment; by default 10"),
          dynamic(
              IndexSettings.CODEC,
              CODECS,
              "default",
              "compression of stored fields in new segments; a forced merge encodes old ones anew"),
          dynamic(
              IndexSettings.COMPRESSION_LEVEL,
              new Whole(1, 6),
              "3",
              "of zstd and zstd_no_dict: each level is smaller and slower to fetch from than the one"
                  + " before"),
          fixed(
              IndexSettings.DERIVED_SOURCE,
              new Flag(),
              "false",
              "whether _source is put together from doc values; only what they lack is stored"),
          dynamic(
              IndexSettings.MAX_RESULT_WINDOW,
              SettingKinds.POSITIVE,
              "10000",
              "largest from + size of a search"),
          dynamic(
              IndexSettings.MAX_SLICES_PER_SCROLL,
              SettingKinds.POSITIVE,
              "1024",
              "parts that a scroll may be cut into"),
          dynamic(
              IndexSettings.MAX_SLICES_PER_PIT,
              SettingKinds.POSITIVE,
              "1024",
              "parts that a point in time may be cut into"),
          dynamic(
              IndexSettings.WARMER,
              new Flag(),
              "true",
              "whether eager_global_ordinals are made before a reader is shown, not by its first search"),
          dynamic(
              IndexSettings.REQUEST_CACHE,
              new Flag(),
              "true",
              "whether answers of searches without hits are kept"),
          dynamic(
              IndexSettings.TOTAL_FIELDS_LIMIT,
              SettingKinds.COUNT,
              "1000",
              "fields that a mapping may have"),
          dynamic(
              "index.mapping.depth.limit",
              SettingKinds.POSITIVE,
              "20",
              "levels of objects in a mapping"),
          dynamic(
              "index.mapping.nested_fields.limit",
              SettingKinds.COUNT,
              "50",
              "nested objects of a mapping"),
          dynamic(
              "index.mapping.nested_objects.limit",
              SettingKinds.COUNT,
              "10000",
              "objects of nested fields in one document"),
          dynamic(
              "index.mapping.field_name_length.limit",
              new Whole(1, Long.MAX_VALUE),
              "9223372036854775807",
              "characters of a field's name"),
          unchanging("index.mapping.coerce", new Flag(), "true", "default of fields' coerce"),
          unchanging(
              "index.mapping.ignore_malformed",
              new Flag(),
              "false",
              "default of fields' ignore_malformed"),
          unchanging("index.analysis.*", new Text(), null, "analyzers and what they are made of"),
          dynamic(
              "index.analyze.max_token_count",
              SettingKinds.POSITIVE,
              "10000",
              "tokens of one _analyze"),
          dynamic(
              "index.max_ngram_diff",
              SettingKinds.COUNT,
              "1",
              "widest range of lengths of n-grams"),
          dynamic(
              "index.max_shingle_diff",
              SettingKinds.COUNT,
              "3",
              "widest range of lengths of shingles"),
          fixed("index.sort.field", new Text(), null, "fields that documents are sorted by"),
          fixed("index.sort.order", new Text(), null, "asc or desc for each of them"),
          fixed("index.sort.mode", new Text(), null, "min or max for each of them"),
          fixed("index.sort.missing", new Text(), null, "_last or _first for each of them"),
          dynamic(
              "index.max_inner_result_window",
              SettingKinds.POSITIVE,
              "100",
              "largest from + size of inner hits"),
          dynamic(
              "index.max_adjacency_matrix_filters",
              new Whole(2, 10_000),
              "100",
              "filters of one adjacency_matrix aggregation"),
          dynamic(
              "index.search.concurrent_segment_search.mode",
              SettingKinds.words("none", "all", "auto"),
              null,
              "search.concurrent_segment_search.mode of this index"),
          dynamic(
              "index.search.concurrent.max_slice_count",
              SettingKinds.COUNT,
              null,
              "search.concurrent.max_slice_count of this index"),
          dynamic(
              "index.max_rescore_window",
              SettingKinds.POSITIVE,
              "10000",
              "hits that are scored again"),
          dynamic(
              "index.max_docvalue_fields_search",
              SettingKinds.COUNT,
              "100",
              "doc value fields of a search"),
          dynamic(
              "index.max_terms_count", SettingKinds.POSITIVE, "65536", "terms of a terms query"),
          dynamic(
              "index.max_regex_length",
              SettingKinds.POSITIVE,
              "1000",
              "length of a regular expression"),
          dynamic(
              "index.query.max_determinized_states",
              new Whole(1, 1_000_000),
              "10000",
              "largest max_determinized_states of a query, and states that a regular expression may"
                  + " write out; 10000 states take up to 80 MB while they are compiled"),
          dynamic(
              "index.query.max_query_string_depth",
              new Whole(1, 500),
              "100",
              "parentheses within each other in query_string and simple_query_string"),
          dynamic(
              "index.highlight.max_analyzed_offset",
              SettingKinds.POSITIVE,
              "1000000",
              "characters taken apart to mark words in them"),
          dynamic(
              "index.query.default_field",
              new Text(),
              null,
              "fields of queries that name none; all when not given"));

  private IndexContentSettings() {}

  private static Setting unchanging(
      String name, SettingKind kind, @Nullable String defaultValue, String effect) {
    return new Setting(name, kind, defaultValue, Change.STATIC, effect);
  }
}
