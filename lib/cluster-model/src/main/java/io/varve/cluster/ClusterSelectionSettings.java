package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;

import io.varve.cluster.SettingKind.Between;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Share;
import io.varve.cluster.SettingKind.Size;
import io.varve.cluster.SettingKind.Time;
import io.varve.cluster.SettingKind.Whole;
import java.util.List;

/**
 * Cluster settings for replica selection: which copy of a shard is searched, when a second copy is
 * searched as well, and the limits of both.
 */
final class ClusterSelectionSettings {

  static final List<Setting> ALL =
      List.of(
          dynamic(
              ClusterSettings.ADAPTIVE_SELECTION,
              new Flag(),
              "true",
              "whether coordinators rank the copies of a shard; otherwise round-robin"),
          dynamic(
              ClusterSettings.SELECTION,
              SettingKinds.words(
                  "adaptive", "ars", "least_outstanding", "p2c", "round_robin", "random"),
              "adaptive",
              "strategy that chooses a copy: adaptive: the shortest estimated completion time; ars:"
                  + " the best rank of a published formula; least_outstanding: the fewest requests"
                  + " in flight; p2c: the better of two random copies"),
          dynamic(
              ClusterSettings.SELECTION_FORMULA,
              SettingKinds.words("published", "c3", "es95"),
              "c3",
              "formula of ars: R - 1/S + q^3/S as in OpenSearch, R - S + q^3*S, or q^3*S"),
          dynamic(
              ClusterSettings.SELECTION_PROBES,
              new Time(0, 10_000),
              "20ms",
              "interval at which coordinators ask idle nodes for their load while there are"
                  + " searches; 0 for never"),
          dynamic(
              ClusterSettings.IGNORE_AWARENESS,
              new Flag(),
              "false",
              "whether copies of equal cost rank equally even if some share the coordinator's"
                  + " awareness attributes"),
          dynamic(
              ClusterSettings.HEDGING,
              new Flag(),
              "true",
              "whether a second copy is searched when the first does not answer in time; the"
                  + " slower search is cancelled"),
          dynamic(
              ClusterSettings.HEDGING_PERCENTILE,
              new Between(0.5, 1),
              "0.98",
              "quantile of recent response times after which the second copy is searched"),
          dynamic(
              ClusterSettings.HEDGING_MAX_DELAY,
              new Time(1, 600_000),
              "5s",
              "maximum delay before the second search"),
          dynamic(
              ClusterSettings.HEDGING_BUDGET,
              new Share(),
              "0.05",
              "second searches as a fraction of all searches; 0 for none"),
          dynamic(
              ClusterSettings.RETRY_BUDGET,
              new Share(),
              "0.1",
              "retries on another copy after a rejection, a timeout or an error, as a "
                  + "fraction of all shard searches; retries after a lost copy don't count"),
          dynamic(
              ClusterSettings.NODE_SEARCHES,
              new Whole(1, 1_000_000),
              "1024",
              "maximum number of concurrent shard searches of a coordinator on a node; further"
                  + " searches go to another copy or are rejected with 429"),
          dynamic(
              ClusterSettings.SUPERSEDED_GRACE,
              new Time(0, 60_000),
              "1s",
              "time for which requests sent to a primary may still complete after "
                  + "another primary was assigned; then writes end with an unknown outcome "
                  + "and reads go to other copies"),
          dynamic(
              ClusterSettings.BULK_REQUEST_SIZE,
              new Size(1 << 16, 1 << 30),
              "8mb",
              "maximum size of the request in which a coordinator sends the items of a bulk for"
                  + " several primaries of a node; the items of one primary are never split"));

  private ClusterSelectionSettings() {}
}
