package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;
import static io.varve.cluster.Setting.fixed;

import io.varve.cluster.SettingKind.Choice;
import io.varve.cluster.SettingKind.Copies;
import io.varve.cluster.SettingKind.Expansion;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Text;
import io.varve.cluster.SettingKind.Time;
import io.varve.cluster.SettingKind.Whole;
import java.util.List;

/**
 * Settings of an index that say how many copies there are, how they get their documents, how long
 * the log keeps operations for them, and on which nodes they may be.
 */
final class IndexCopySettings {

  static final List<Setting> ALL =
      List.of(
          fixed(
              IndexSettings.NUMBER_OF_SHARDS,
              new Whole(1, 1024),
              "1",
              "partitions of the index's topics"),
          fixed(
              IndexSettings.NUMBER_OF_ROUTING_SHARDS,
              SettingKinds.POSITIVE,
              null,
              "granularity of the routing hash"),
          dynamic(
              IndexSettings.NUMBER_OF_REPLICAS,
              new Whole(0, 100),
              "1",
              "copies beside the primary"),
          dynamic(
              IndexSettings.AUTO_EXPAND_REPLICAS,
              new Expansion(),
              "false",
              "bounds within which there are as many replicas as nodes for them: 0-1, 0-all"),
          dynamic(
              IndexSettings.WAIT_FOR_ACTIVE_SHARDS,
              new Copies(),
              "1",
              "copies that must serve before a shard is written; all for every one"),
          dynamic(
              IndexSettings.NUMBER_OF_SEARCH_REPLICAS,
              new Whole(0, 100),
              "0",
              "copies for searches alone, on nodes with the role search"),
          fixed(
              IndexSettings.REPLICATION_TYPE,
              SettingKinds.REPLICATION_TYPES,
              null,
              "how replicas get their documents"),
          fixed(
              IndexSettings.REMOTE_STORE,
              new Flag(),
              null,
              "whether segments are kept in the segment store; by default, if all data nodes have"
                  + " one"),
          dynamic(
              IndexSettings.LOG_RETENTION,
              new Choice(
                  List.of("forever", "auto"), "unknown value [", "] for index.log.retention"),
              "forever",
              "auto: deletes operations from the log that no copy and no following cluster needs"
                  + " any more; forever: keeps all of them"),
          dynamic(
              IndexSettings.LOG_RETENTION_MIN_COPIES,
              new Whole(1, 101),
              "2",
              "nodes that must hold an operation in a durable commit before auto deletes it from"
                  + " the log; the segment store of a remote-backed index counts for all of them"),
          dynamic(
              IndexSettings.LOG_RETENTION_GRACE,
              new Time(0),
              "30m",
              "for how long auto keeps the operations that a copy without a node would need when"
                  + " it comes back, unless all copies are started before"),
          dynamic(
              IndexSettings.LEASE_PERIOD,
              new Time(0),
              "12h",
              "for how long a cluster that follows and is not heard of keeps operations that"
                  + " index.log.retention would have deleted"),
          dynamic(
              IndexSettings.DELAYED_TIMEOUT,
              new Time(0),
              "1m",
              "how long a copy waits for its node before it is built elsewhere"),
          dynamic(
              IndexSettings.ALLOCATION_ENABLE,
              SettingKinds.ALLOCATED,
              null,
              "which copies are given places; without it the cluster's setting says so"),
          dynamic(
              IndexSettings.REBALANCE_ENABLE,
              SettingKinds.REBALANCED,
              null,
              "which copies move to level the nodes; without it the cluster's setting says so"),
          dynamic(
              IndexSettings.SHARDS_PER_NODE,
              new Whole(-1, 1 << 30),
              "-1",
              "copies of the index that a node may hold"),
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

  private IndexCopySettings() {}
}
