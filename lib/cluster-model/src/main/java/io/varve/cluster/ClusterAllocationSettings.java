package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;

import io.varve.cluster.SettingKind.Bytes;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Text;
import io.varve.cluster.SettingKind.Whole;
import java.util.List;

/**
 * Cluster settings for allocation: which nodes may hold copies, disk watermarks, concurrent
 * recoveries, and rebalancing.
 */
public final class ClusterAllocationSettings {

  public static final String ENABLE = "cluster.routing.allocation.enable";
  public static final String SAME_HOST = "cluster.routing.allocation.same_shard.host";
  public static final String AWARENESS_ATTRIBUTES =
      "cluster.routing.allocation.awareness.attributes";
  public static final String FORCED_AWARENESS = "cluster.routing.allocation.awareness.force.";
  public static final String REBALANCE_ENABLE = "cluster.routing.rebalance.enable";
  public static final String ALLOW_REBALANCE = "cluster.routing.allocation.allow_rebalance";
  public static final String CONCURRENT_REBALANCES =
      "cluster.routing.allocation.cluster_concurrent_rebalance";
  public static final String PREFER_PRIMARY = "cluster.routing.allocation.balance.prefer_primary";
  public static final String CONCURRENT_RECOVERIES =
      "cluster.routing.allocation.node_concurrent_recoveries";
  public static final String CONCURRENT_INCOMING =
      "cluster.routing.allocation.node_concurrent_incoming_recoveries";
  public static final String CONCURRENT_OUTGOING =
      "cluster.routing.allocation.node_concurrent_outgoing_recoveries";
  public static final String SHARDS_PER_NODE = "cluster.routing.allocation.total_shards_per_node";

  static final List<Setting> ALL =
      List.of(
          dynamic(ENABLE, SettingKinds.ALLOCATED, "all", "kinds of copies that may be allocated"),
          dynamic(
              SAME_HOST,
              new Flag(),
              "false",
              "whether copies of a shard are kept off nodes on the same host"),
          dynamic(
              AWARENESS_ATTRIBUTES,
              new Text(),
              null,
              "node attributes; the copies of a shard are spread over their values"),
          dynamic(
              FORCED_AWARENESS + "*",
              new Text(),
              null,
              "NAME.values: attribute values that count even if no node has them"),
          dynamic(
              SHARDS_PER_NODE,
              new Whole(-1, Integer.MAX_VALUE),
              "-1",
              "maximum number of copies on a node"),
          dynamic(Watermark.ENABLED, new Flag(), "true", "whether the disk watermarks are applied"),
          dynamic(
              Watermark.LOW.setting(),
              new Bytes(),
              Watermark.LOW.defaultValue(),
              "disk usage above which no copy is allocated to the node; a size in bytes means free"
                  + " space"),
          dynamic(
              Watermark.HIGH.setting(),
              new Bytes(),
              Watermark.HIGH.defaultValue(),
              "disk usage above which copies relocate to other nodes"),
          dynamic(
              Watermark.FLOOD_STAGE.setting(),
              new Bytes(),
              Watermark.FLOOD_STAGE.defaultValue(),
              "disk usage above which writes to indices with a copy on the disk are blocked"),
          dynamic(
              CONCURRENT_RECOVERIES,
              SettingKinds.COUNT,
              "2",
              "maximum number of concurrent recoveries to a node, and from the primaries of a"
                  + " node"),
          dynamic(
              CONCURRENT_INCOMING,
              SettingKinds.COUNT,
              null,
              "maximum number of concurrent recoveries to a node"),
          dynamic(
              CONCURRENT_OUTGOING,
              SettingKinds.COUNT,
              null,
              "maximum number of concurrent recoveries from the primaries of a node"),
          dynamic(
              REBALANCE_ENABLE,
              SettingKinds.REBALANCED,
              "all",
              "kinds of copies that may be rebalanced"),
          dynamic(
              ALLOW_REBALANCE,
              new SettingKind.Choice(
                  List.of("always", "indices_primaries_active", "indices_all_active"),
                  "Illegal value for " + ALLOW_REBALANCE + ": ",
                  ""),
              "indices_all_active",
              "copies that must be active before rebalancing"),
          dynamic(
              CONCURRENT_REBALANCES,
              new Whole(-1, Integer.MAX_VALUE),
              "2",
              "concurrent relocations for rebalancing; -1 for no limit"),
          dynamic(PREFER_PRIMARY, new Flag(), "false", "whether primaries are balanced first"),
          dynamic(
              "cluster.routing.allocation.include.*",
              new Text(),
              null,
              "copies are allocated to nodes that match at least one of these filters"),
          dynamic(
              "cluster.routing.allocation.exclude.*",
              new Text(),
              null,
              "copies are not allocated to nodes that match any of these filters"),
          dynamic(
              "cluster.routing.allocation.require.*",
              new Text(),
              null,
              "copies are allocated to nodes that match all of these filters"));

  private ClusterAllocationSettings() {}
}
