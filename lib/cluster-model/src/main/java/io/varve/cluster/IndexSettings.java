package io.varve.cluster;

import io.varve.rpc.ErrorBody;
import io.varve.text.ByteValues;
import io.varve.text.TimeValues;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The index settings: names, definitions, and effective values for an index. Unknown settings are
 * refused. The definitions are in {@link IndexCopySettings}, {@link IndexContentSettings} and
 * {@link IndexAccessSettings}; those of OpenSearch that have no effect here in {@link
 * InertIndexSettings}; contradictions and changes are checked by {@link IndexSettingRules}.
 *
 * <p>INVARIANT: those classes use names that are compile-time constants, and only this class reads
 * their lists. This class is therefore always initialised first, and no thread sees it partly
 * initialised.
 */
public final class IndexSettings {

  public static final String NUMBER_OF_SHARDS = "index.number_of_shards";
  public static final String NUMBER_OF_REPLICAS = "index.number_of_replicas";
  public static final String AUTO_EXPAND_REPLICAS = "index.auto_expand_replicas";
  public static final String WAIT_FOR_ACTIVE_SHARDS = "index.write.wait_for_active_shards";
  public static final String NUMBER_OF_SEARCH_REPLICAS = "index.number_of_search_replicas";
  public static final String NUMBER_OF_ROUTING_SHARDS = "index.number_of_routing_shards";
  public static final String REFRESH_INTERVAL = "index.refresh_interval";
  public static final String SEARCH_IDLE_AFTER = "index.search.idle.after";
  public static final String REPLICATION_TYPE = "index.replication.type";
  public static final String REMOTE_STORE = "index.remote_store.enabled";
  public static final String CONSISTENCY = "index.replication.consistency";
  public static final String MIN_IN_SYNC = "index.replication.min_in_sync";
  public static final String APPEALS = "index.replication.appeals";
  public static final String LOG_RETENTION = "index.log.retention";
  public static final String LOG_RETENTION_MIN_COPIES = "index.log.retention.min_copies";
  public static final String LOG_RETENTION_GRACE = "index.log.retention.grace";
  public static final String LEASE_PERIOD = "index.soft_deletes.retention_lease.period";
  public static final String LEASE_MAX_BYTES = "index.soft_deletes.retention_lease.max_bytes";
  public static final String CODEC = "index.codec";
  public static final String COMPRESSION_LEVEL = "index.codec.compression_level";
  public static final String DERIVED_SOURCE = "index.derived_source.enabled";
  public static final String MAX_RESULT_WINDOW = "index.max_result_window";
  public static final String MAX_SLICES_PER_SCROLL = "index.max_slices_per_scroll";
  public static final String MAX_SLICES_PER_PIT = "index.max_slices_per_pit";
  public static final String REQUEST_CACHE = "index.requests.cache.enable";
  public static final String WARMER = "index.warmer.enabled";
  public static final String TOTAL_FIELDS_LIMIT = "index.mapping.total_fields.limit";
  public static final String DELAYED_TIMEOUT = "index.unassigned.node_left.delayed_timeout";
  public static final String ALLOCATION_ENABLE = "index.routing.allocation.enable";
  public static final String REBALANCE_ENABLE = "index.routing.rebalance.enable";
  public static final String SHARDS_PER_NODE = "index.routing.allocation.total_shards_per_node";
  public static final String HIDDEN = "index.hidden";
  public static final String UUID = "index.uuid";
  public static final String CREATION_DATE = "index.creation_date";
  public static final String PROVIDED_NAME = "index.provided_name";
  public static final String VERSION_CREATED = "index.version.created";

  private static final SettingRegistry REGISTRY =
      new SettingRegistry(
          IndexCopySettings.ALL,
          IndexContentSettings.ALL,
          SlowLogSettings.ALL,
          IndexAccessSettings.BLOCKS,
          IndexAccessSettings.GIVEN,
          InertIndexSettings.DECIDED,
          InertIndexSettings.WITHOUT_EFFECT);

  private IndexSettings() {}

  public static List<Setting> all() {
    return REGISTRY.all();
  }

  public static Optional<Setting> find(String name) {
    return REGISTRY.find(name);
  }

  /** The settings with a default, by name, as {@code include_defaults} shows them. */
  public static Map<String, String> defaults() {
    Map<String, String> defaults = new TreeMap<>();
    for (Setting setting : all()) {
      if (setting.defaultValue() != null) {
        defaults.put(setting.name(), setting.defaultValue());
      }
    }
    return defaults;
  }

  /** Converts names as clients write them, with or without {@code index.}, to full names. */
  public static Map<String, @Nullable String> normalize(Map<String, @Nullable String> settings) {
    Map<String, @Nullable String> full = new TreeMap<>();
    settings.forEach(
        (name, value) -> full.put(name.startsWith("index.") ? name : "index." + name, value));
    return full;
  }

  /** The reason for which an index can't be created with these settings (full names), if any. */
  public static Optional<ErrorBody> refusalAtCreation(Map<String, @Nullable String> settings) {
    return REGISTRY.refusal(settings);
  }

  /**
   * Whether a follower index takes the setting from its leader index. A setting that is not known
   * here belongs to a newer release of the leader and counts as replicated.
   */
  public static boolean isReplicated(String name) {
    return find(name).map(Setting::replicated).orElse(true);
  }

  /** The settings among these that a follower index takes from its leader index. */
  public static Map<String, String> replicated(Map<String, String> settings) {
    Map<String, String> taken = new TreeMap<>(settings);
    taken.keySet().removeIf(name -> !isReplicated(name));
    return taken;
  }

  /** The effective value for an index: its own or the default. */
  public static String value(Map<String, String> settings, String name) {
    String own = settings.get(name);
    return own != null ? own : REGISTRY.defaultOf(name);
  }

  /** The refresh interval in milliseconds; -1 for never. */
  public static long refreshIntervalMillis(Map<String, String> settings) {
    return TimeValues.clampedMillis(REFRESH_INTERVAL, value(settings, REFRESH_INTERVAL));
  }

  /** After how many milliseconds without a search a copy is idle; -1 for never. */
  public static long searchIdleAfterMillis(Map<String, String> settings) {
    return TimeValues.clampedMillis(SEARCH_IDLE_AFTER, value(settings, SEARCH_IDLE_AFTER));
  }

  public static int maxResultWindow(Map<String, String> settings) {
    return Integer.parseInt(value(settings, MAX_RESULT_WINDOW));
  }

  public static int totalFieldsLimit(Map<String, String> settings) {
    return Integer.parseInt(value(settings, TOTAL_FIELDS_LIMIT));
  }

  public static long delayedTimeoutMillis(Map<String, String> settings) {
    return TimeValues.clampedMillis(DELAYED_TIMEOUT, value(settings, DELAYED_TIMEOUT));
  }

  /** Whether the index's segments are uploaded to the segment store. */
  public static boolean isRemoteBacked(Map<String, String> settings) {
    return Boolean.parseBoolean(settings.get(REMOTE_STORE));
  }

  /** The retention of the index's operations in the log. */
  public static LogRetention logRetention(Map<String, String> settings) {
    return new LogRetention(
        value(settings, LOG_RETENTION).equals("auto"),
        Integer.parseInt(value(settings, LOG_RETENTION_MIN_COPIES)),
        TimeValues.clampedMillis(LOG_RETENTION_GRACE, value(settings, LOG_RETENTION_GRACE)),
        TimeValues.clampedMillis(LEASE_PERIOD, value(settings, LEASE_PERIOD)),
        ByteValues.parseBytes(LEASE_MAX_BYTES, value(settings, LEASE_MAX_BYTES)));
  }

  /** Whether gets are linearizable and return only what every started copy holds. */
  public static boolean isStrong(Map<String, String> settings) {
    return "strong".equals(settings.get(CONSISTENCY));
  }

  /** The number of copies that must hold a record of a strong index. */
  public static int minInSync(Map<String, String> settings) {
    return Integer.parseInt(value(settings, MIN_IN_SYNC));
  }

  /** Whether copies prove the records of former primaries by reporting their positions. */
  public static boolean appealsByWatermark(Map<String, String> settings) {
    return value(settings, APPEALS).equals("watermark");
  }

  /**
   * Whether the records of former primaries are proven by comparing the documents of all copies.
   */
  public static boolean appealsByDigest(Map<String, String> settings) {
    return value(settings, APPEALS).equals("digest");
  }

  /** The number of search-only copies per shard. */
  public static int searchReplicas(Map<String, String> settings) {
    return Integer.parseInt(value(settings, NUMBER_OF_SEARCH_REPLICAS));
  }

  public static boolean hidden(Map<String, String> settings) {
    return Boolean.parseBoolean(value(settings, HIDDEN));
  }
}
