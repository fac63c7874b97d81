package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;

import io.varve.cluster.SettingKind.Bytes;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Text;
import io.varve.cluster.SettingKind.Whole;
import java.util.List;

/**
 * Settings of the cluster on places: which nodes copies may be on, when a disk is full, how many
 * are built at a time, and how copies move to level the nodes.
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
          dynamic(ENABLE, SettingKinds.ALLOCATED, "all", "which copies are given places"),
          dynamic(
              SAME_HOST,
              new Flag(),
              "false",
              "whether copies of a shard are kept from nodes on the same host"),
          dynamic(
              AWARENESS_ATTRIBUTES,
              new Text(),
              null,
              "attributes of nodes over whose values the copies of a shard are spread"),
          dynamic(
              FORCED_AWARENESS + "*",
              new Text(),
              null,
              "NAME.values: values of an attribute that count though no node has them"),
          dynamic(
              SHARDS_PER_NODE,
              new Whole(-1, Integer.MAX_VALUE),
              "-1",
              "copies that a node may hold"),
          dynamic(
              Watermark.ENABLED,
              new Flag(),
              "true",
              "whether full disks keep copies away and send them away"),
          dynamic(
              Watermark.LOW.setting(),
              new Bytes(),
              Watermark.LOW.defaultValue(),
              "a disk used beyond it takes no more copies; bytes stand for those still free"),
          dynamic(
              Watermark.HIGH.setting(),
              new Bytes(),
              Watermark.HIGH.defaultValue(),
              "copies leave a disk used beyond it"),
          dynamic(
              Watermark.FLOOD_STAGE.setting(),
              new Bytes(),
              Watermark.FLOOD_STAGE.defaultValue(),
              "indices with a copy on a disk used beyond it take no writes"),
          dynamic(
              CONCURRENT_RECOVERIES,
              SettingKinds.COUNT,
              "2",
              "copies built at a time on a node, and from the primaries of a node"),
          dynamic(CONCURRENT_INCOMING, SettingKinds.COUNT, null, "the former of the two alone"),
          dynamic(CONCURRENT_OUTGOING, SettingKinds.COUNT, null, "the latter of the two alone"),
          dynamic(
              REBALANCE_ENABLE,
              SettingKinds.REBALANCED,
              "all",
              "which copies move to level the nodes"),
          dynamic(
              ALLOW_REBALANCE,
              new SettingKind.Choice(
                  List.of("always", "indices_primaries_active", "indices_all_active"),
                  "Illegal value for " + ALLOW_REBALANCE + ": ",
                  ""),
              "indices_all_active",
              "what must be active before copies move to level the nodes"),
          dynamic(
              CONCURRENT_REBALANCES,
              new Whole(-1, Integer.MAX_VALUE),
              "2",
              "copies that are on their way at a time to level the nodes; -1 for any number"),
          dynamic(
              PREFER_PRIMARY, new Flag(), "false", "whether primaries are levelled for themselves"),
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
              "copies go to nodes that meet all of these"));

  private ClusterAllocationSettings() {}
}
