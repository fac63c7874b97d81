package io.varve.cluster;

import static io.varve.cluster.Setting.accepted;
import static io.varve.cluster.Setting.dynamic;

import io.varve.cluster.SettingKind.Bytes;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Fraction;
import io.varve.cluster.SettingKind.Text;
import io.varve.cluster.SettingKind.Time;
import io.varve.cluster.SettingKind.Whole;
import io.varve.rpc.ErrorBody;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Every setting that a cluster can have; all are dynamic. Transient ones win over persistent. */
public final class ClusterSettings {

  public static final String REPLICATION_STRATEGY = "cluster.indices.replication.strategy";
  public static final String AUTO_CREATE_INDEX = "action.auto_create_index";
  public static final String DESTRUCTIVE_REQUIRES_NAME = "action.destructive_requires_name";
  public static final String MAX_BUCKETS = "search.max_buckets";
  public static final String DEFAULT_SEARCH_TIMEOUT = "search.default_search_timeout";
  public static final String CANCEL_AFTER = "search.cancel_after_time_interval";
  public static final String ALLOW_PARTIAL_RESULTS = "search.default_allow_partial_results";
  public static final String MAX_OPEN_SCROLLS = "search.max_open_scroll_context";
  public static final String MAX_OPEN_PITS = "search.max_open_pit_context";
  public static final String DEFAULT_KEEP_ALIVE = "search.default_keep_alive";
  public static final String MAX_KEEP_ALIVE = "search.max_keep_alive";
  public static final String REQUEST_CACHE_SIZE = "indices.requests.cache.size";
  public static final String MAX_PIT_KEEP_ALIVE = "point_in_time.max_keep_alive";

  /** Which product and version {@code GET /} says that we are. */
  public static final String IDENTITY = "compatibility.identity";

  public static final String IDENTITY_OPENSEARCH = "opensearch";
  public static final String IDENTITY_ELASTICSEARCH = "elasticsearch-7.10";

  private static final Whole COUNT = new Whole(0, Integer.MAX_VALUE);

  private static final SettingRegistry REGISTRY =
      new SettingRegistry(
          List.of(
              dynamic(
                  REPLICATION_STRATEGY,
                  IndexSettings.REPLICATION_TYPES,
                  IndexMetadata.SEGMENT,
                  "index.replication.type of indices created without one"),
              dynamic(AUTO_CREATE_INDEX, new Text(), "true", "whether a write creates its index"),
              dynamic(
                  IDENTITY,
                  new SettingKind.Choice(
                      List.of(IDENTITY_OPENSEARCH, IDENTITY_ELASTICSEARCH),
                      "illegal value [",
                      "], must be " + IDENTITY_OPENSEARCH + " or " + IDENTITY_ELASTICSEARCH),
                  IDENTITY_OPENSEARCH,
                  "what GET / says that this is, for clients that insist on another product"),
              dynamic(
                  DESTRUCTIVE_REQUIRES_NAME,
                  new Flag(),
                  "false",
                  "whether deleting indices by wildcard is refused"),
              dynamic(
                  MAX_BUCKETS, COUNT, "65535", "buckets that an answer may have; more refuse it"),
              dynamic(
                  DEFAULT_SEARCH_TIMEOUT,
                  new Time(-1),
                  "-1",
                  "after which a search without a timeout of its own shows what it has"),
              dynamic(
                  CANCEL_AFTER,
                  new Time(-1),
                  "-1",
                  "after which a search that does not say otherwise is cancelled"),
              dynamic(
                  ALLOW_PARTIAL_RESULTS,
                  new Flag(),
                  "true",
                  "whether a search may show what some shards found when others failed"),
              dynamic(MAX_OPEN_SCROLLS, COUNT, "500", "scrolls open at the same time on a node"),
              dynamic(
                  MAX_OPEN_PITS, COUNT, "300", "points in time open at the same time on a node"),
              dynamic(
                  DEFAULT_KEEP_ALIVE,
                  new Time(0),
                  "5m",
                  "how long a scroll stays that does not say how long"),
              dynamic(MAX_KEEP_ALIVE, new Time(0), "24h", "the longest time a scroll may stay"),
              dynamic(
                  REQUEST_CACHE_SIZE,
                  new Bytes(),
                  "1%",
                  "memory of a node for answers of searches that may be given again"),
              dynamic(
                  MAX_PIT_KEEP_ALIVE,
                  new Time(0),
                  "24h",
                  "the longest time a point in time may stay"),
              dynamic(
                  AllocationDeciders.ENABLE,
                  IndexSettings.ALLOCATED,
                  "all",
                  "which copies are given places"),
              dynamic(
                  "cluster.routing.allocation.include.*",
                  new Text(),
                  null,
                  "copies go to nodes that meet one of these"),
              dynamic(
                  "cluster.routing.allocation.exclude.*",
                  new Text(),
                  null,
                  "copies go to no node that meets one of these"),
              dynamic(
                  "cluster.routing.allocation.require.*",
                  new Text(),
                  null,
                  "copies go to nodes that meet all of these"),
              dynamic(
                  "cluster.remote.*.seeds",
                  new Text(),
                  null,
                  "addresses of another cluster to follow")),
          List.of(
              accepted("search.low_level_cancellation", new Flag()),
              accepted("cluster.remote.*.skip_unavailable", new Flag()),
              accepted("cluster.max_shards_per_node", COUNT),
              accepted("cluster.info.update.interval", new Time(-1)),
              accepted("cluster.routing.allocation.allow_rebalance", new Text()),
              accepted("cluster.routing.allocation.awareness.attributes", new Text()),
              accepted("cluster.routing.allocation.balance.*", new Fraction()),
              accepted("cluster.routing.allocation.cluster_concurrent_rebalance", COUNT),
              accepted("cluster.routing.allocation.node_concurrent_recoveries", COUNT),
              accepted("cluster.routing.allocation.node_initial_primaries_recoveries", COUNT),
              accepted("cluster.routing.allocation.disk.threshold_enabled", new Flag()),
              accepted("cluster.routing.allocation.disk.watermark.*", new Bytes()),
              accepted("cluster.routing.rebalance.enable", new Text()),
              accepted("indices.recovery.max_bytes_per_sec", new Bytes()),
              accepted("indices.breaker.*", new Text()),
              accepted("logger.*", new Text())));

  private ClusterSettings() {}

  public static List<Setting> all() {
    return REGISTRY.all();
  }

  /** The settings that have a default, by name. */
  public static Map<String, String> defaults() {
    Map<String, String> defaults = new TreeMap<>();
    for (Setting setting : all()) {
      if (setting.defaultValue() != null) {
        defaults.put(setting.name(), setting.defaultValue());
      }
    }
    return defaults;
  }

  /**
   * Why these can't be set.
   *
   * @param scope {@code persistent} or {@code transient}
   */
  public static Optional<ErrorBody> refusal(String scope, Map<String, @Nullable String> changes) {
    for (String name : new TreeMap<>(changes).keySet()) {
      if (REGISTRY.find(name).isEmpty()) {
        return Optional.of(
            ErrorBody.of(
                400, "settings_exception", scope + " setting [" + name + "], not recognized"));
      }
    }
    return REGISTRY.refusal(changes);
  }

  /** The value that holds; {@code null} when there is none. */
  public static @Nullable String value(ClusterState state, String name) {
    String value =
        state.transientSettings().getOrDefault(name, state.persistentSettings().get(name));
    return value != null ? value : REGISTRY.find(name).map(Setting::defaultValue).orElse(null);
  }

  /** Memory for answers that are kept; a percentage is one of {@code heapBytes}. */
  public static long requestCacheBytes(ClusterState state, long heapBytes) {
    String value = String.valueOf(value(state, REQUEST_CACHE_SIZE)).trim().toLowerCase(Locale.ROOT);
    return value.endsWith("%")
        ? (long) (heapBytes * Double.parseDouble(value.substring(0, value.length() - 1)) / 100)
        : bytes(value);
  }

  private static long bytes(String value) {
    String number = value.replaceAll("[a-z]+$", "");
    String unit = value.substring(number.length());
    long factor =
        switch (unit) {
          case "k", "kb" -> 1L << 10;
          case "m", "mb" -> 1L << 20;
          case "g", "gb" -> 1L << 30;
          case "t", "tb" -> 1L << 40;
          case "p", "pb" -> 1L << 50;
          default -> 1;
        };
    return Math.max(0, (long) (Double.parseDouble(number) * factor));
  }

  /** The addresses of each cluster that can be followed, by its alias. */
  public static Map<String, List<String>> remoteSeeds(ClusterState state) {
    Map<String, String> settings = new TreeMap<>(state.persistentSettings());
    settings.putAll(state.transientSettings());
    Map<String, List<String>> seeds = new TreeMap<>();
    settings.forEach((name, value) -> {
      if (name.startsWith("cluster.remote.") && name.endsWith(".seeds")) {
        String alias =
            name.substring("cluster.remote.".length(), name.length() - ".seeds".length());
        List<String> addresses = new ArrayList<>(Arrays.asList(value.split("\\s*,\\s*")));
        addresses.removeIf(String::isBlank);
        seeds.put(alias, addresses);
      }
    });
    return seeds;
  }
}
