package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;

import io.varve.cluster.SettingKind.Between;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Share;
import io.varve.cluster.SettingKind.Time;
import io.varve.cluster.SettingKind.Whole;
import java.util.List;

/**
 * Settings of the cluster on which copy of a shard a search goes to, when a second one is asked,
 * and how much of that a coordinator may do.
 */
final class ClusterSelectionSettings {

  static final List<Setting> ALL =
      List.of(
          dynamic(
              ClusterSettings.ADAPTIVE_SELECTION,
              new Flag(),
              "true",
              "whether coordinators choose the copies that they search; otherwise these take turns"),
          dynamic(
              ClusterSettings.SELECTION,
              SettingKinds.words(
                  "adaptive", "ars", "least_outstanding", "p2c", "round_robin", "random"),
              "adaptive",
              "how they choose: by when a copy would be done, by a published formula, by their own"
                  + " requests under way there, the better one of two, in turn, by chance"),
          dynamic(
              ClusterSettings.SELECTION_FORMULA,
              SettingKinds.words("published", "c3", "es95"),
              "c3",
              "the formula of ars: R - 1/S + q^3/S as OpenSearch has it, R - S + q^3*S, q^3*S"),
          dynamic(
              ClusterSettings.SELECTION_PROBES,
              new Time(0, 10_000),
              "20ms",
              "time between two looks for nodes that are to be asked how busy they are, while"
                  + " anybody searches; 0 for never"),
          dynamic(
              ClusterSettings.IGNORE_AWARENESS,
              new Flag(),
              "false",
              "whether copies of equal cost are equal though some share the coordinator's awareness"
                  + " attributes"),
          dynamic(
              ClusterSettings.HEDGING,
              new Flag(),
              "true",
              "whether a second copy is searched while the first is silent; the slower one is"
                  + " cancelled"),
          dynamic(
              ClusterSettings.HEDGING_PERCENTILE,
              new Between(0.5, 1),
              "0.98",
              "the part of recent answers that came sooner than a silent copy is waited for"),
          dynamic(
              ClusterSettings.HEDGING_MAX_DELAY,
              new Time(1, 600_000),
              "5s",
              "the longest such wait"),
          dynamic(
              ClusterSettings.HEDGING_BUDGET,
              new Share(),
              "0.05",
              "second searches as a share of all; 0 for none at all"),
          dynamic(
              ClusterSettings.RETRY_BUDGET,
              new Share(),
              "0.1",
              "shards that are searched again on another copy after a refusal, a time-out or an"
                  + " error, as a share of all; copies that are gone don't count"),
          dynamic(
              ClusterSettings.NODE_SEARCHES,
              new Whole(1, 1_000_000),
              "1024",
              "searches of shards that a coordinator has under way on a node; what is more goes to"
                  + " another copy or gets 429"),
          dynamic(
              ClusterSettings.SUPERSEDED_GRACE,
              new Time(0, 60_000),
              "1s",
              "how long a primary may still answer what it was sent after the shard was given"
                  + " another one; then writes end with an unknown outcome and reads ask others"));

  private ClusterSelectionSettings() {}
}
