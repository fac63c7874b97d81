package io.varve.cluster;

import static io.varve.cluster.Setting.accepted;
import static io.varve.cluster.Setting.dynamic;

import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Fraction;
import io.varve.cluster.SettingKind.Text;
import io.varve.cluster.SettingKind.Time;
import io.varve.rpc.ErrorBody;
import io.varve.text.ByteValues;
import io.varve.text.TimeValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All settings of a cluster and their effective values; all are dynamic. Transient values override
 * persistent ones, both override defaults. The other settings are in {@link
 * ClusterReplicationSettings}, {@link ClusterSearchSettings}, {@link ClusterSelectionSettings} and
 * {@link ClusterAllocationSettings}.
 *
 * <p>INVARIANT: those classes use names that are compile-time constants, and only this class reads
 * their lists. This class is therefore always initialised first, and no thread sees it partly
 * initialised.
 */
public final class ClusterSettings {

  public static final String REPLICATION_STRATEGY = "cluster.indices.replication.strategy";
  public static final String AUTO_CREATE_INDEX = "action.auto_create_index";
  public static final String DESTRUCTIVE_REQUIRES_NAME = "action.destructive_requires_name";

  /** Maximum number of copies of open indices per data node. */
  public static final String MAX_SHARDS_PER_NODE = "cluster.max_shards_per_node";

  public static final String MAX_BUCKETS = "search.max_buckets";
  public static final String DEFAULT_SEARCH_TIMEOUT = "search.default_search_timeout";
  public static final String CANCEL_AFTER = "search.cancel_after_time_interval";
  public static final String ALLOW_EXPENSIVE_QUERIES = "search.allow_expensive_queries";
  public static final String MAX_CLAUSE_COUNT = "indices.query.bool.max_clause_count";
  public static final String MAX_NESTED_DEPTH = "indices.query.bool.max_nested_depth";
  public static final String ALLOW_PARTIAL_RESULTS = "search.default_allow_partial_results";
  public static final String MAX_OPEN_SCROLLS = "search.max_open_scroll_context";
  public static final String MAX_OPEN_PITS = "search.max_open_pit_context";
  public static final String DEFAULT_KEEP_ALIVE = "search.default_keep_alive";
  public static final String MAX_KEEP_ALIVE = "search.max_keep_alive";
  public static final String REQUEST_CACHE_SIZE = "indices.requests.cache.size";
  public static final String MAX_PIT_KEEP_ALIVE = "point_in_time.max_keep_alive";

  public static final String STRICT_SEARCH_REPLICA = "cluster.routing.search_replica.strict";

  public static final String ADAPTIVE_SELECTION = "cluster.routing.use_adaptive_replica_selection";
  public static final String SELECTION = "cluster.routing.replica_selection";
  public static final String SELECTION_FORMULA = "cluster.routing.replica_selection.formula";
  public static final String SELECTION_PROBES = "cluster.routing.replica_selection.probe_interval";
  public static final String IGNORE_AWARENESS = "cluster.search.ignore_awareness_attributes";
  public static final String HEDGING = "cluster.routing.hedging";
  public static final String HEDGING_PERCENTILE = "cluster.routing.hedging.percentile";
  public static final String HEDGING_MAX_DELAY = "cluster.routing.hedging.max_delay";
  public static final String HEDGING_BUDGET = "cluster.routing.hedging.budget";
  public static final String RETRY_BUDGET = "cluster.routing.retries.budget";
  public static final String NODE_SEARCHES = "cluster.routing.node_concurrent_searches";
  public static final String SUPERSEDED_GRACE = "cluster.routing.superseded_primary.grace";
  public static final String BULK_REQUEST_SIZE = "cluster.routing.bulk.max_request_size";

  public static final String READ_TIMEOUT = "cluster.consistency.read.timeout";
  public static final String REPLICA_WAIT = "cluster.consistency.read.replica_wait";
  public static final String VISIBLE_TIMEOUT = "cluster.consistency.write.visible_timeout";
  public static final String SESSION_SHARDS = "cluster.consistency.session.max_shards";

  /** The largest timeout with which a read may wait for a copy that satisfies its read demand. */
  public static final long MAX_READ_TIMEOUT_MILLIS = 300_000;

  /** The product and version that {@code GET /} reports. */
  public static final String IDENTITY = "compatibility.identity";

  public static final String IDENTITY_OPENSEARCH = "opensearch";
  public static final String IDENTITY_ELASTICSEARCH = "elasticsearch-7.10";

  public static final String RESTRICT_REPLICATION = "cluster.index.restrict.replication.type";
  public static final String PRESSURE_ENABLED = "segrep.pressure.enabled";
  public static final String PRESSURE_CHECKPOINTS = "segrep.pressure.checkpoint.limit";
  public static final String PRESSURE_TIME = "segrep.pressure.time.limit";
  public static final String FAIL_TIME = "segrep.replication.time.limit";
  public static final String DRAIN_TIME = "cluster.routing.search.lag.limit";
  public static final String PRESSURE_STALE_SHARE = "segrep.pressure.replica.stale.limit";

  public static final String STORE_PRESSURE_ENABLED = "remote_store.segment.pressure.enabled";
  public static final String STORE_PRESSURE_FAILURES =
      "remote_store.segment.pressure.consecutive_failures.limit";
  public static final String STORE_PRESSURE_BYTES =
      "remote_store.segment.pressure.bytes_lag.variance_factor";
  public static final String STORE_PRESSURE_TIME =
      "remote_store.segment.pressure.time_lag.variance_factor";
  public static final String STORE_WINDOW = "remote_store.moving_average_window_size";

  public static final String MERGES_AHEAD = "indices.replication.merges.warmer.enabled";
  public static final String MERGES_AHEAD_RATE =
      "indices.replication.merges.warmer.max_bytes_per_sec";
  public static final String MERGES_AHEAD_TIMEOUT = "indices.replication.merges.warmer.timeout";
  public static final String MERGES_AHEAD_MIN_SIZE =
      "indices.replication.merges.warmer.min_segment_size_threshold";
  public static final String MERGES_AHEAD_RETENTION =
      "indices.merged_segment_checkpoint.retention_time";

  /** Number of records in the cluster log after which the leader writes a snapshot into it. */
  public static final String SNAPSHOT_RECORDS = "cluster.log.snapshot.records";

  /** Bytes in the cluster log after which the leader writes a snapshot into it. */
  public static final String SNAPSHOT_SIZE = "cluster.log.snapshot.size";

  /** Maximum bytes per second that a copy writes while it re-encodes segments. */
  public static final String REENCODE_RATE = "indices.reencode.max_bytes_per_sec";

  public static final String CONFIRM_TIMEOUT = "cluster.rereplicate.confirm_timeout";
  public static final String CONFIRM_WAITERS = "cluster.rereplicate.max_waiters_per_record";
  public static final String CONFIRM_RECORDS = "cluster.rereplicate.max_records_per_shard";
  public static final String REREPLICATE_RATE = "cluster.rereplicate.max_requests_per_second";

  /** Maximum bytes per second that a node receives for recoveries. */
  public static final String RECOVERY_RATE = "indices.recovery.max_bytes_per_sec";

  /** Bytes per second of the leader's segments that a node receives for followers. */
  public static final String BOOTSTRAP_RATE = "ccr.indices.recovery.max_bytes_per_sec";

  public static final String OPENING = "indices.replication.open_before_copy.enabled";
  public static final String OPENING_MIN_SIZE = "indices.replication.open_before_copy.min_size";

  public static final String SLICES_MODE = "search.concurrent_segment_search.mode";
  public static final String MAX_SLICES = "search.concurrent.max_slice_count";
  public static final String REQUEST_BREAKER = "indices.breaker.request.limit";
  public static final String REQUEST_OVERHEAD = "indices.breaker.request.overhead";
  public static final String FIELDDATA_BREAKER = "indices.breaker.fielddata.limit";
  public static final String FIELDDATA_OVERHEAD = "indices.breaker.fielddata.overhead";
  public static final String IN_FLIGHT_BREAKER = "network.breaker.inflight_requests.limit";
  public static final String IN_FLIGHT_OVERHEAD = "network.breaker.inflight_requests.overhead";
  public static final String TOTAL_BREAKER = "indices.breaker.total.limit";

  /**
   * Whether {@link #TOTAL_BREAKER} counts the heap in use, or only the memory that the other
   * breakers account for.
   */
  public static final String TOTAL_BREAKER_REAL = "indices.breaker.total.use_real_memory";

  public static final String MAX_AGGREGATIONS = "search.max_aggregations";
  public static final String MAX_RESCORES = "search.max_rescores";
  public static final String MAX_SORT_FIELDS = "search.max_sort_fields";
  public static final String MAX_INNER_HITS = "search.max_inner_hits";
  public static final String MAX_QUERY_STRING_LENGTH = "search.query.max_query_string_length";

  private static final List<Setting> GENERAL =
      List.of(
          dynamic(AUTO_CREATE_INDEX, new Text(), "true", "whether a write creates its index"),
          dynamic(
              IDENTITY,
              new SettingKind.Choice(
                  List.of(IDENTITY_OPENSEARCH, IDENTITY_ELASTICSEARCH),
                  "illegal value [",
                  "], must be " + IDENTITY_OPENSEARCH + " or " + IDENTITY_ELASTICSEARCH),
              IDENTITY_OPENSEARCH,
              "product name in the response of GET /, for clients that require a certain product"),
          dynamic(
              DESTRUCTIVE_REQUIRES_NAME,
              new Flag(),
              "false",
              "whether deleting indices by wildcard is refused"),
          dynamic(
              MAX_SHARDS_PER_NODE,
              SettingKinds.POSITIVE,
              "1000",
              "maximum number of copies of open indices per data node; requests that "
                  + "would exceed it by creating or opening an index, or by adding copies, "
                  + "are rejected"),
          dynamic(
              REENCODE_RATE,
              new SettingKind.Size(64L << 10, 16L << 30),
              "20mb",
              "bytes per second that each copy writes while `_reencode` rewrites its segments"),
          dynamic(
              SNAPSHOT_RECORDS,
              new SettingKind.Whole(10, 1_000_000),
              "1000",
              "records of the cluster log after which the leader writes a snapshot to "
                  + "it; the log is truncated to the snapshot before the newest (from "
                  + "feature level 2 on)"),
          dynamic(
              SNAPSHOT_SIZE,
              new SettingKind.Size(64L << 10, 1L << 30),
              "8mb",
              "bytes of the cluster log after which a snapshot is written even with "
                  + "fewer records, but not before the log has grown by the size of the last "
                  + "snapshot"),
          dynamic(
              "logger.*",
              new SettingKind.LogLevel(),
              null,
              "level of the logger with that name in all processes; `logger._root` is the root "
                  + "logger; without the setting, the level that the process configured"),
          dynamic(
              "cluster.remote.*.seeds",
              new SettingKind.Addresses(),
              null,
              "REST addresses of a cluster to follow; `varve.remote-addresses` must allow them"),
          dynamic(
              "cluster.remote.*.tls.enabled",
              new Flag(),
              null,
              "whether the seeds and the nodes of that cluster are called with HTTPS; not set:"
                  + " false"),
          dynamic(
              "cluster.remote.*.tls.certificate_authorities_file",
              new SettingKind.FileName(),
              null,
              "PEM file in `varve.remote-files` of each coordinator, ccr-follower and "
                  + "shard-service: the authorities that may sign certificates of the seeds and "
                  + "nodes; without it, those that the JVM trusts"),
          dynamic(
              "cluster.remote.*.tls.revocations_file",
              new SettingKind.FileName(),
              null,
              "PEM file in `varve.remote-files` with the certificates that these authorities have "
                  + "revoked (X.509 CRL); without it, none are"),
          dynamic(
              "cluster.remote.*.tls.certificate_file",
              new SettingKind.FileName(),
              null,
              "PEM file in `varve.remote-files` with a key and its certificate: what the process "
                  + "shows to nodes that require one"),
          dynamic(
              "cluster.remote.*.credentials_file",
              new SettingKind.FileName(),
              null,
              "properties file in `varve.remote-files` with `username` and `password`, sent to "
                  + "the seeds and nodes by HTTP Basic"),
          dynamic(
              "cluster.remote.*.kafka.properties_file",
              new SettingKind.FileName(),
              null,
              "properties file in `varve.remote-files` with `security.protocol`, `ssl.*` and "
                  + "`sasl.*` of Kafka's clients for the brokers of that cluster"));

  /** Settings of OpenSearch that clients send: validated, stored and shown. */
  private static final List<Setting> WITHOUT_EFFECT =
      List.of(
          accepted(
              "search.low_level_cancellation", new Flag(), "cancelled searches always end soon"),
          accepted(
              "search.concurrent_segment_search.enabled",
              new Flag(),
              "deprecated; search.concurrent_segment_search.mode decides"),
          accepted(
              "cluster.remote.*.skip_unavailable", new Flag(), "there is no cross-cluster search"),
          accepted(
              "cluster.info.update.interval",
              new Time(-1),
              "nodes report disk usage with every heartbeat"),
          accepted(
              "cluster.routing.allocation.balance.*",
              new Fraction(),
              "nodes are balanced by their number of copies only"),
          accepted(
              "cluster.routing.allocation.node_initial_primaries_recoveries",
              SettingKinds.COUNT,
              "primaries recover concurrently"));

  /** Settings that OpenSearch reads from its configuration file only. */
  private static final Set<String> NOT_DYNAMIC =
      Set.of(
          "indices.breaker.fielddata.type",
          "indices.breaker.request.type",
          "network.breaker.inflight_requests.type",
          "logger.level");

  private static final SettingRegistry REGISTRY =
      new SettingRegistry(
          GENERAL,
          ClusterReplicationSettings.ALL,
          ClusterSearchSettings.ALL,
          ClusterSelectionSettings.ALL,
          ClusterAllocationSettings.ALL,
          WITHOUT_EFFECT);

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
   * The reason for which these settings are refused, if any.
   *
   * @param scope {@code persistent} or {@code transient}
   */
  public static Optional<ErrorBody> refusal(String scope, Map<String, @Nullable String> changes) {
    for (String name : new TreeMap<>(changes).keySet()) {
      if (NOT_DYNAMIC.contains(name)) {
        return Optional.of(
            ErrorBody.illegalArgument(
                scope + " setting [" + name + "], not dynamically updateable"));
      }
      if (REGISTRY.find(name).isEmpty()) {
        return Optional.of(
            ErrorBody.of(
                400, "settings_exception", scope + " setting [" + name + "], not recognized"));
      }
    }
    return REGISTRY.refusal(changes);
  }

  /** The effective value; {@code null} when there is none. */
  public static @Nullable String value(ClusterState state, String name) {
    String value =
        state.transientSettings().getOrDefault(name, state.persistentSettings().get(name));
    return value != null ? value : REGISTRY.find(name).map(Setting::defaultValue).orElse(null);
  }

  /** A boolean with a default. */
  public static boolean flag(ClusterState state, String name) {
    return "true".equals(value(state, name));
  }

  /** The awareness attributes: copies are spread over their values. */
  public static List<String> awarenessAttributes(ClusterState state) {
    return words(state, ClusterAllocationSettings.AWARENESS_ATTRIBUTES);
  }

  /** The elements of a comma-separated list; empty when it is not set. */
  public static List<String> words(ClusterState state, String name) {
    String value = value(state, name);
    return value == null
        ? List.of()
        : Arrays.stream(value.split(",", -1))
            .map(String::strip)
            .filter(word -> !word.isEmpty())
            .toList();
  }

  /** A duration with a default. */
  public static long millis(ClusterState state, String name) {
    return TimeValues.clampedMillis(name, String.valueOf(value(state, name)));
  }

  /** A size with a default. */
  public static long bytes(ClusterState state, String name) {
    return ByteValues.parseBytes(name, String.valueOf(value(state, name)));
  }

  /** A number with a default. */
  public static double number(ClusterState state, String name) {
    return Double.parseDouble(String.valueOf(value(state, name)));
  }

  /** The addresses of each remote cluster, by alias. */
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
