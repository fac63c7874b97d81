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
 * Settings of the cluster on searches: how much one may ask for, how long it may take and stay
 * open, what it may hold in memory, and how long a read waits for what it was promised.
 */
final class ClusterSearchSettings {

  static final List<Setting> ALL =
      List.of(
          dynamic(
              ClusterSettings.MAX_BUCKETS,
              SettingKinds.COUNT,
              "65535",
              "buckets that an answer may have; more refuse it"),
          dynamic(
              ClusterSettings.SLICES_MODE,
              new Choice(
                  List.of("none", "auto", "all"),
                  "Setting value must be one of [all, none, auto] but was [",
                  "]"),
              "auto",
              "whether the segments of a shard are searched at the same time: never, for a"
                  + " search that aggregates while no other search runs on its node, always"),
          dynamic(
              ClusterSettings.MAX_SLICES,
              SettingKinds.COUNT,
              null,
              "slices that a shard is searched in at the same time; 0 for as many as its"
                  + " segments make; by default one for each two processors, four at most"),
          dynamic(
              ClusterSettings.REQUEST_BREAKER,
              new Bytes(),
              "60%",
              "memory, or share of the heap, that the aggregations of a node may hold"),
          dynamic(
              ClusterSettings.FIELDDATA_BREAKER,
              new Bytes(),
              "40%",
              "memory, or share of the heap, that the values of fields that a node keeps may"
                  + " take"),
          dynamic(
              ClusterSettings.IN_FLIGHT_BREAKER,
              new Bytes(),
              "100%",
              "memory, or share of the heap, that the bodies of the requests that a coordinator"
                  + " has under way may take; more are refused"),
          dynamic(
              ClusterSettings.IN_FLIGHT_OVERHEAD,
              new AtLeast(0),
              "2.0",
              "by which the size of a body is multiplied, for what is made of it"),
          dynamic(
              ClusterSettings.TOTAL_BREAKER,
              new Bytes(),
              "95%",
              "memory, or share of the heap, that may be in use before requests are refused; all but 128"
                  + " MB, or a quarter of a small heap, at most"),
          dynamic(
              ClusterSettings.TOTAL_BREAKER_REAL,
              new Flag(),
              "true",
              "whether indices.breaker.total.limit counts the heap in use; otherwise what the other"
                  + " breakers account for"),
          dynamic(
              ClusterSettings.MAX_AGGREGATIONS,
              SettingKinds.COUNT,
              "1000",
              "aggregations of a search, with those within others"),
          dynamic(ClusterSettings.MAX_RESCORES, SettingKinds.COUNT, "10", "rescores of a search"),
          dynamic(
              ClusterSettings.MAX_SORT_FIELDS,
              SettingKinds.COUNT,
              "100",
              "fields that a search sorts by"),
          dynamic(
              ClusterSettings.MAX_INNER_HITS,
              SettingKinds.COUNT,
              "100",
              "definitions of inner hits of a search"),
          dynamic(
              ClusterSettings.MAX_QUERY_STRING_LENGTH,
              SettingKinds.POSITIVE,
              "32000",
              "characters of the text of a query_string"),
          dynamic(
              ClusterSettings.DEFAULT_SEARCH_TIMEOUT,
              new Time(-1),
              "-1",
              "after which a search without a timeout of its own shows what it has"),
          dynamic(
              ClusterSettings.CANCEL_AFTER,
              new Time(-1),
              "-1",
              "after which a search that does not say otherwise is cancelled"),
          dynamic(
              ClusterSettings.ALLOW_PARTIAL_RESULTS,
              new Flag(),
              "true",
              "whether a search may show what some shards found when others failed"),
          dynamic(
              ClusterSettings.ALLOW_EXPENSIVE_QUERIES,
              new Flag(),
              "true",
              "whether queries that may look at all terms or documents are answered"),
          dynamic(
              ClusterSettings.MAX_CLAUSE_COUNT,
              new Whole(1, Integer.MAX_VALUE),
              "1024",
              "clauses that a query may come to"),
          dynamic(
              ClusterSettings.MAX_OPEN_SCROLLS,
              SettingKinds.COUNT,
              "500",
              "scrolls open at the same time on a node"),
          dynamic(
              ClusterSettings.MAX_OPEN_PITS,
              SettingKinds.COUNT,
              "300",
              "points in time open at the same time on a node"),
          dynamic(
              ClusterSettings.DEFAULT_KEEP_ALIVE,
              new Time(0),
              "5m",
              "how long a scroll stays that does not say how long"),
          dynamic(
              ClusterSettings.MAX_KEEP_ALIVE,
              new Time(0),
              "24h",
              "the longest time a scroll may stay"),
          dynamic(
              ClusterSettings.REQUEST_CACHE_SIZE,
              new Bytes(),
              "1%",
              "memory of a node for answers of searches that may be given again"),
          dynamic(
              ClusterSettings.MAX_PIT_KEEP_ALIVE,
              new Time(0),
              "24h",
              "the longest time a point in time may stay"),
          dynamic(
              ClusterSettings.STRICT_SEARCH_REPLICA,
              new Flag(),
              "true",
              "whether searches of an index with copies for searches alone go to these only"),
          dynamic(
              ClusterSettings.READ_TIMEOUT,
              new Time(0, ClusterSettings.MAX_READ_TIMEOUT_MILLIS),
              "5s",
              "how long a read waits for a copy that shows what it was promised, or that can answer"),
          dynamic(
              ClusterSettings.REPLICA_WAIT,
              new Time(0, 60_000),
              "100ms",
              "how long such a read waits at a replica before it goes to the primary"),
          dynamic(
              ClusterSettings.VISIBLE_TIMEOUT,
              new Time(0, 600_000),
              "30s",
              "how long a write waits until all in-sync copies show it"),
          dynamic(
              ClusterSettings.SESSION_SHARDS,
              new Whole(1, 200),
              "128",
              "shards that a Varve-Session token names"));

  private ClusterSearchSettings() {}
}
