package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;

import io.varve.cluster.SettingKind.AtLeast;
import io.varve.cluster.SettingKind.Bytes;
import io.varve.cluster.SettingKind.Choice;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Time;
import io.varve.cluster.SettingKind.Whole;
import java.util.List;

/**
 * Cluster settings for searches: limits on requests, timeouts, open contexts and memory, and how
 * long a read waits for the required visibility.
 */
final class ClusterSearchSettings {

  static final List<Setting> ALL =
      List.of(
          dynamic(
              ClusterSettings.MAX_BUCKETS,
              SettingKinds.COUNT,
              "65535",
              "maximum number of buckets in a response; more are rejected"),
          dynamic(
              ClusterSettings.SLICES_MODE,
              new Choice(
                  List.of("none", "auto", "all"),
                  "Setting value must be one of [all, none, auto] but was [",
                  "]"),
              "auto",
              "whether the segments of a shard are searched concurrently: never, for a "
                  + "search with aggregations while no other search runs on its node, or "
                  + "always"),
          dynamic(
              ClusterSettings.MAX_SLICES,
              SettingKinds.COUNT,
              null,
              "maximum number of concurrent slices per shard; 0 lets Lucene choose by "
                  + "segments; by default one for each two processors, at most four"),
          dynamic(
              ClusterSettings.REQUEST_BREAKER,
              new Bytes(),
              "60%",
              "memory limit of the aggregations on a node, in bytes or as a share of the heap"),
          dynamic(
              ClusterSettings.REQUEST_OVERHEAD,
              new AtLeast(0),
              "1.0",
              "factor by which the memory of the aggregations is multiplied before it is "
                  + "compared with the limit"),
          dynamic(
              ClusterSettings.FIELDDATA_BREAKER,
              new Bytes(),
              "40%",
              "memory limit of fielddata on a node, in bytes or as a share of the heap"),
          dynamic(
              ClusterSettings.FIELDDATA_OVERHEAD,
              new AtLeast(0),
              "1.03",
              "factor by which the memory of fielddata is multiplied before it is compared "
                  + "with the limit"),
          dynamic(
              ClusterSettings.IN_FLIGHT_BREAKER,
              new Bytes(),
              "100%",
              "memory limit of request bodies in flight on a coordinator, in bytes or "
                  + "as a share of the heap; requests beyond it are rejected"),
          dynamic(
              ClusterSettings.IN_FLIGHT_OVERHEAD,
              new AtLeast(0),
              "2.0",
              "factor by which the size of a body is multiplied to estimate the memory "
                  + "of the parsed request"),
          dynamic(
              ClusterSettings.TOTAL_BREAKER,
              new Bytes(),
              "95%",
              "limit of the parent circuit breaker, in bytes or as a share of the "
                  + "heap; at most the heap without 128 MB, or without a quarter of a small "
                  + "heap"),
          dynamic(
              ClusterSettings.TOTAL_BREAKER_REAL,
              new Flag(),
              "true",
              "whether indices.breaker.total.limit applies to the heap in use; "
                  + "otherwise to the sum of the other breakers"),
          dynamic(
              ClusterSettings.MAX_AGGREGATIONS,
              SettingKinds.COUNT,
              "1000",
              "maximum number of aggregations in a search, including sub-aggregations"),
          dynamic(
              ClusterSettings.MAX_RESCORES,
              SettingKinds.COUNT,
              "10",
              "maximum number of rescores in a search"),
          dynamic(
              ClusterSettings.MAX_SORT_FIELDS,
              SettingKinds.COUNT,
              "100",
              "maximum number of sort keys in a search"),
          dynamic(
              ClusterSettings.MAX_INNER_HITS,
              SettingKinds.COUNT,
              "100",
              "maximum number of inner_hits in a search"),
          dynamic(
              ClusterSettings.MAX_QUERY_STRING_LENGTH,
              SettingKinds.POSITIVE,
              "32000",
              "maximum length of a query_string in characters"),
          dynamic(
              ClusterSettings.DEFAULT_SEARCH_TIMEOUT,
              new Time(-1),
              "-1",
              "default timeout of a search, after which it returns partial results"),
          dynamic(
              ClusterSettings.CANCEL_AFTER,
              new Time(-1),
              "-1",
              "default time after which a search is cancelled"),
          dynamic(
              ClusterSettings.ALLOW_PARTIAL_RESULTS,
              new Flag(),
              "true",
              "default of allow_partial_search_results: whether a search returns "
                  + "results when some shards failed"),
          dynamic(
              ClusterSettings.ALLOW_EXPENSIVE_QUERIES,
              new Flag(),
              "true",
              "whether queries that may visit all terms or documents are allowed"),
          dynamic(
              ClusterSettings.MAX_CLAUSE_COUNT,
              new Whole(1, Integer.MAX_VALUE),
              "1024",
              "maximum number of clauses that a query may expand to"),
          dynamic(
              ClusterSettings.MAX_NESTED_DEPTH,
              new Whole(1, 100),
              "100",
              "maximum number of queries within each other"),
          dynamic(
              ClusterSettings.MAX_OPEN_SCROLLS,
              SettingKinds.COUNT,
              "500",
              "maximum number of open scrolls on a node"),
          dynamic(
              ClusterSettings.MAX_OPEN_PITS,
              SettingKinds.COUNT,
              "300",
              "maximum number of open points in time on a node"),
          dynamic(
              ClusterSettings.DEFAULT_KEEP_ALIVE,
              new Time(0),
              "5m",
              "default keep-alive of a scroll"),
          dynamic(
              ClusterSettings.MAX_KEEP_ALIVE, new Time(0), "24h", "maximum keep-alive of a scroll"),
          dynamic(
              ClusterSettings.REQUEST_CACHE_SIZE,
              new Bytes(),
              "1%",
              "memory of the request cache on a node"),
          dynamic(
              ClusterSettings.MAX_PIT_KEEP_ALIVE,
              new Time(0),
              "24h",
              "maximum keep-alive of a point in time"),
          dynamic(
              ClusterSettings.STRICT_SEARCH_REPLICA,
              new Flag(),
              "true",
              "whether searches of an index with search-only copies go to these copies only"),
          dynamic(
              ClusterSettings.READ_TIMEOUT,
              new Time(0, ClusterSettings.MAX_READ_TIMEOUT_MILLIS),
              "5s",
              "maximum time that a read waits for a copy that shows what the read requires and"
                  + " can answer"),
          dynamic(
              ClusterSettings.REPLICA_WAIT,
              new Time(0, 60_000),
              "100ms",
              "maximum time that a read with a consistency requirement waits on a replica before"
                  + " it is sent to the primary"),
          dynamic(
              ClusterSettings.VISIBLE_TIMEOUT,
              new Time(0, 600_000),
              "30s",
              "maximum time that a write waits until all in-sync copies show it"),
          dynamic(
              ClusterSettings.SESSION_SHARDS,
              new Whole(1, 200),
              "128",
              "maximum number of shards in a Varve-Session token"));

  private ClusterSearchSettings() {}
}
