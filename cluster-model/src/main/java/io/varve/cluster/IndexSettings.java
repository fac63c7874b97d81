package io.varve.cluster;

import static io.varve.cluster.Setting.accepted;
import static io.varve.cluster.Setting.dynamic;
import static io.varve.cluster.Setting.fixed;

import io.varve.cluster.Setting.Change;
import io.varve.cluster.SettingKind.Bytes;
import io.varve.cluster.SettingKind.Choice;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Given;
import io.varve.cluster.SettingKind.Only;
import io.varve.cluster.SettingKind.Text;
import io.varve.cluster.SettingKind.Time;
import io.varve.cluster.SettingKind.Whole;
import io.varve.rpc.ErrorBody;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Every setting that an index can have. */
public final class IndexSettings {

  public static final String NUMBER_OF_SHARDS = "index.number_of_shards";
  public static final String NUMBER_OF_REPLICAS = "index.number_of_replicas";
  public static final String NUMBER_OF_ROUTING_SHARDS = "index.number_of_routing_shards";
  public static final String REFRESH_INTERVAL = "index.refresh_interval";
  public static final String REPLICATION_TYPE = "index.replication.type";
  public static final String CODEC = "index.codec";
  public static final String MAX_RESULT_WINDOW = "index.max_result_window";
  public static final String MAX_SLICES_PER_SCROLL = "index.max_slices_per_scroll";
  public static final String MAX_SLICES_PER_PIT = "index.max_slices_per_pit";
  public static final String REQUEST_CACHE = "index.requests.cache.enable";
  public static final String TOTAL_FIELDS_LIMIT = "index.mapping.total_fields.limit";
  public static final String DELAYED_TIMEOUT = "index.unassigned.node_left.delayed_timeout";
  public static final String HIDDEN = "index.hidden";
  public static final String UUID = "index.uuid";
  public static final String CREATION_DATE = "index.creation_date";
  public static final String PROVIDED_NAME = "index.provided_name";
  public static final String VERSION_CREATED = "index.version.created";

  /** Kinds of copies. */
  static final Choice ALLOCATED = words("all", "primaries", "new_primaries", "none");

  private static final Whole COUNT = new Whole(0, Integer.MAX_VALUE);
  private static final Whole POSITIVE = new Whole(1, Integer.MAX_VALUE);
  private static final Time ANY_TIME = new Time(-1);

  static final SettingKind REPLICATION_TYPES =
      new Choice(
          List.of(IndexMetadata.SEGMENT, IndexMetadata.DOCUMENT),
          "Could not parse ReplicationStrategy for [",
          "]");

  private static final SettingKind CODECS =
      new Choice(
          List.of("default", "lz4", "best_compression", "zlib"),
          "unknown value for [index.codec] must be one of [default, lz4, best_compression, zlib]"
              + " but is: ",
          "");

  private static final List<Setting> EFFECTIVE =
      List.of(
          fixed(NUMBER_OF_SHARDS, new Whole(1, 1024), "1", "partitions of the index's topics"),
          fixed(NUMBER_OF_ROUTING_SHARDS, POSITIVE, null, "granularity of the routing hash"),
          dynamic(NUMBER_OF_REPLICAS, new Whole(0, 100), "1", "copies beside the primary"),
          dynamic(REFRESH_INTERVAL, ANY_TIME, "1s", "time between refreshes; -1 for none"),
          fixed(REPLICATION_TYPE, REPLICATION_TYPES, null, "how replicas get their documents"),
          new Setting(CODEC, CODECS, "default", Change.STATIC, "compression of stored fields"),
          dynamic(MAX_RESULT_WINDOW, POSITIVE, "10000", "largest from + size of a search"),
          dynamic(MAX_SLICES_PER_SCROLL, POSITIVE, "1024", "parts that a scroll may be cut into"),
          dynamic(
              MAX_SLICES_PER_PIT, POSITIVE, "1024", "parts that a point in time may be cut into"),
          dynamic(
              REQUEST_CACHE,
              new Flag(),
              "true",
              "whether answers of searches without hits are kept"),
          dynamic(TOTAL_FIELDS_LIMIT, COUNT, "1000", "fields that a mapping may have"),
          dynamic("index.mapping.depth.limit", POSITIVE, "20", "levels of objects in a mapping"),
          dynamic("index.mapping.nested_fields.limit", COUNT, "50", "nested objects of a mapping"),
          dynamic(
              "index.mapping.nested_objects.limit",
              COUNT,
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
          dynamic("index.analyze.max_token_count", POSITIVE, "10000", "tokens of one _analyze"),
          dynamic("index.max_ngram_diff", COUNT, "1", "widest range of lengths of n-grams"),
          dynamic("index.max_shingle_diff", COUNT, "3", "widest range of lengths of shingles"),
          fixed("index.sort.field", new Text(), null, "fields that documents are sorted by"),
          fixed("index.sort.order", new Text(), null, "asc or desc for each of them"),
          fixed("index.sort.mode", new Text(), null, "min or max for each of them"),
          fixed("index.sort.missing", new Text(), null, "_last or _first for each of them"),
          dynamic(
              DELAYED_TIMEOUT,
              new Time(0),
              "1m",
              "how long a copy waits for its node before it is built elsewhere"),
          dynamic(
              "index.max_inner_result_window",
              POSITIVE,
              "100",
              "largest from + size of inner hits"),
          dynamic("index.max_rescore_window", POSITIVE, "10000", "hits that are scored again"),
          dynamic("index.max_docvalue_fields_search", COUNT, "100", "doc value fields of a search"),
          dynamic("index.max_terms_count", POSITIVE, "65536", "terms of a terms query"),
          dynamic("index.max_regex_length", POSITIVE, "1000", "length of a regular expression"),
          dynamic(
              "index.highlight.max_analyzed_offset",
              POSITIVE,
              "1000000",
              "characters taken apart to mark words in them"),
          dynamic(
              "index.query.default_field",
              new Text(),
              null,
              "fields of queries that name none; all when not given"),
          dynamic(HIDDEN, new Flag(), "false", "left out of wildcards"),
          dynamic(IndexBlocks.READ_ONLY, new Flag(), "false", "refuses writes and metadata"),
          dynamic(
              IndexBlocks.READ_ONLY_ALLOW_DELETE, new Flag(), "false", "like read_only, with 429"),
          dynamic(IndexBlocks.READ, new Flag(), "false", "refuses reads"),
          dynamic(IndexBlocks.WRITE, new Flag(), "false", "refuses writes"),
          dynamic(IndexBlocks.METADATA, new Flag(), "false", "refuses reading metadata"),
          dynamic(
              AllocationDeciders.INDEX_ENABLE,
              ALLOCATED,
              null,
              "which copies are given places; without it the cluster's setting says so"),
          dynamic(
              "index.routing.allocation.include.*",
              new Text(),
              null,
              "copies go to nodes that meet one of these"),
          dynamic(
              "index.routing.allocation.exclude.*",
              new Text(),
              null,
              "copies go to no node that meets one of these"),
          dynamic(
              "index.routing.allocation.require.*",
              new Text(),
              null,
              "copies go to nodes that meet all of these"));

  private static final List<Setting> GIVEN =
      List.of(
          fixed(UUID, new Given(), null, "names the index's topics"),
          fixed(CREATION_DATE, new Given(), null, "shown"),
          fixed(PROVIDED_NAME, new Given(), null, "shown"),
          fixed(VERSION_CREATED, new Given(), null, "shown"));

  /** A choice that Varve doesn't offer: refused unless it asks for what is so anyway. */
  private static final List<Setting> DECIDED =
      List.of(
          accepted("index.auto_expand_replicas", new Only("false")),
          accepted("index.soft_deletes.enabled", new Only("true")),
          accepted("index.routing_partition_size", new Only("1")),
          accepted("index.number_of_search_replicas", new Only("0")),
          accepted("index.append_only.enabled", new Only("false")),
          accepted("index.default_pipeline", new Only("_none")),
          accepted("index.final_pipeline", new Only("_none")),
          accepted("index.write.wait_for_active_shards", new Only("1")));

  private static final List<Setting> WITHOUT_EFFECT =
      List.of(
          accepted("index.translog.durability", words("request", "async", "REQUEST", "ASYNC")),
          accepted("index.translog.sync_interval", ANY_TIME),
          accepted("index.translog.flush_threshold_size", new Bytes()),
          accepted("index.translog.generation_threshold_size", new Bytes()),
          accepted("index.translog.retention.size", new Bytes()),
          accepted("index.translog.retention.age", ANY_TIME),
          accepted("index.store.type", new Text()),
          accepted("index.store.preload", new Text()),
          accepted("index.merge.scheduler.max_thread_count", POSITIVE),
          accepted("index.merge.scheduler.max_merge_count", POSITIVE),
          accepted("index.merge.scheduler.auto_throttle", new Flag()),
          accepted("index.merge.policy", new Text()),
          accepted("index.merge.policy.*", new Text()),
          accepted("index.merge.log_byte_size_policy.*", new Text()),
          accepted("index.merge_on_flush.enabled", new Flag()),
          accepted("index.compound_format", new Text()),
          accepted("index.queries.cache.enabled", new Flag()),
          accepted("index.search.idle.after", ANY_TIME),
          accepted("index.search.throttled", new Flag()),
          accepted("index.search.default_pipeline", new Only("_none")),
          accepted("index.search.slowlog.*", new Text()),
          accepted("index.indexing.slowlog.*", new Text()),
          accepted("index.routing.rebalance.enable", words("all", "primaries", "replicas", "none")),
          accepted("index.routing.allocation.total_shards_per_node", new Whole(-1, 1 << 30)),
          accepted("index.allocation.max_retries", COUNT),
          accepted("index.priority", COUNT),
          accepted("index.gc_deletes", ANY_TIME),
          accepted("index.soft_deletes.retention_lease.period", ANY_TIME),
          accepted("index.soft_deletes.retention.operations", COUNT),
          accepted("index.max_refresh_listeners", COUNT),
          accepted("index.max_script_fields", COUNT),
          accepted("index.query_string.lenient", new Flag()),
          accepted("index.max_adjacency_matrix_filters", POSITIVE),
          accepted("index.fielddata.cache", words("none", "node")),
          accepted("index.format", COUNT),
          accepted("index.queries.cache.everything", new Flag()),
          accepted("index.recovery.initial_shards", new Text()),
          accepted("index.check_pending_flush.enabled", new Flag()),
          accepted("index.unreferenced_file_cleanup.enabled", new Flag()),
          accepted("index.allocation.existing_shards_allocator", new Text()),
          accepted("index.store.fs.fs_lock", words("native", "simple")),
          accepted("index.store.hybrid.*", new Text()),
          accepted("index.use_compound_file", new Flag()),
          accepted("index.search.concurrent.max_slice_count", COUNT),
          accepted("index.search.concurrent_segment_search.enabled", new Flag()),
          accepted("index.search.concurrent_segment_search.mode", words("none", "all", "auto")),
          accepted("index.optimize_doc_id_lookup.*", new Text()),
          accepted("index.remote_store.translog.*", new Text()),
          accepted("index.translog.read_forward", new Flag()),
          accepted("index.load_fixed_bitset_filters_eagerly", new Flag()),
          accepted("index.warmer.enabled", new Flag()),
          accepted("index.optimize_auto_generated_id", new Flag()),
          accepted("index.shard.check_on_startup", words("true", "false", "checksum")));

  private static final SettingRegistry REGISTRY =
      new SettingRegistry(EFFECTIVE, GIVEN, DECIDED, WITHOUT_EFFECT);

  private IndexSettings() {}

  private static Setting unchanging(
      String name, SettingKind kind, @Nullable String defaultValue, String effect) {
    return new Setting(name, kind, defaultValue, Change.STATIC, effect);
  }

  private static Choice words(String... words) {
    return new Choice(List.of(words), "illegal value [", "], must be one of " + List.of(words));
  }

  public static List<Setting> all() {
    return REGISTRY.all();
  }

  public static Optional<Setting> find(String name) {
    return REGISTRY.find(name);
  }

  /** The settings that have a default, by name: what {@code include_defaults} shows. */
  public static Map<String, String> defaults() {
    Map<String, String> defaults = new TreeMap<>();
    for (Setting setting : all()) {
      if (setting.defaultValue() != null) {
        defaults.put(setting.name(), setting.defaultValue());
      }
    }
    return defaults;
  }

  /** Names as clients write them, with or without {@code index.}, to full names. */
  public static Map<String, @Nullable String> normalize(Map<String, @Nullable String> settings) {
    Map<String, @Nullable String> full = new TreeMap<>();
    settings.forEach(
        (name, value) -> full.put(name.startsWith("index.") ? name : "index." + name, value));
    return full;
  }

  /** Why an index can't be created with these (full names). */
  public static Optional<ErrorBody> refusalAtCreation(Map<String, @Nullable String> settings) {
    return REGISTRY.refusal(settings);
  }

  /** Why these settings of one index can't be together. */
  public static Optional<ErrorBody> contradiction(Map<String, String> settings) {
    String routing = settings.get(NUMBER_OF_ROUTING_SHARDS);
    if (routing == null) {
      return Optional.empty();
    }
    String given = settings.get(NUMBER_OF_SHARDS);
    int shards = Integer.parseInt(given == null ? REGISTRY.defaultOf(NUMBER_OF_SHARDS) : given);
    int routingShards = Integer.parseInt(routing);
    if (routingShards < shards) {
      return Optional.of(
          ErrorBody.illegalArgument(
              "index.number_of_routing_shards ["
                  + routingShards
                  + "] must be >= index.number_of_shards ["
                  + shards
                  + "]"));
    }
    return routingShards % shards == 0
        ? Optional.empty()
        : Optional.of(
            ErrorBody.illegalArgument(
                "the number of source shards ["
                    + shards
                    + "] must be a factor of ["
                    + routingShards
                    + "]"));
  }

  /** Why these (full names) can't be changed; {@code null} values reset. */
  public static Optional<ErrorBody> refusalOfChange(
      IndexMetadata index, Map<String, @Nullable String> changes) {
    for (String name : new TreeMap<>(changes).keySet()) {
      if (find(name).filter(s -> s.kind() instanceof Given).isPresent()) {
        return Optional.of(
            ErrorBody.illegalArgument(
                "can not update private setting ["
                    + name
                    + "]; this setting is managed by OpenSearch"));
      }
    }
    Optional<ErrorBody> refused = REGISTRY.refusal(changes);
    if (refused.isPresent()) {
      return refused;
    }
    List<String> fixed =
        new TreeMap<>(changes)
            .keySet().stream()
                .filter(name -> find(name).filter(Setting::isDynamic).isEmpty())
                .toList();
    if (fixed.isEmpty()) {
      return Optional.empty();
    }
    return index.closed()
        ? fixed.stream()
            .filter(name -> find(name).filter(s -> s.change() == Change.STATIC).isEmpty())
            .findFirst()
            .map(name ->
                ErrorBody.illegalArgument(
                    "final " + index.name() + " setting [" + name + "], not updateable"))
        : Optional.of(
            ErrorBody.illegalArgument(
                "Can't update non dynamic settings ["
                    + fixed
                    + "] for open indices [["
                    + index.name()
                    + "/"
                    + index.uuid()
                    + "]]"));
  }

  /** The value that holds for an index: its own or the default. */
  public static String value(Map<String, String> settings, String name) {
    String own = settings.get(name);
    return own != null ? own : REGISTRY.defaultOf(name);
  }

  /** 0 or more; -1 for never. */
  public static long refreshIntervalMillis(Map<String, String> settings) {
    return TimeValues.parseMillis(REFRESH_INTERVAL, value(settings, REFRESH_INTERVAL));
  }

  public static int maxResultWindow(Map<String, String> settings) {
    return Integer.parseInt(value(settings, MAX_RESULT_WINDOW));
  }

  public static int totalFieldsLimit(Map<String, String> settings) {
    return Integer.parseInt(value(settings, TOTAL_FIELDS_LIMIT));
  }

  public static long delayedTimeoutMillis(Map<String, String> settings) {
    return TimeValues.parseMillis(DELAYED_TIMEOUT, value(settings, DELAYED_TIMEOUT));
  }

  public static boolean hidden(Map<String, String> settings) {
    return Boolean.parseBoolean(value(settings, HIDDEN));
  }
}
