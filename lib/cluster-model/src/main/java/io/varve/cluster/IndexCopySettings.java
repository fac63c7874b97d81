package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;
import static io.varve.cluster.Setting.fixed;

import io.varve.cluster.SettingKind.Choice;
import io.varve.cluster.SettingKind.Copies;
import io.varve.cluster.SettingKind.Expansion;
import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Size;
import io.varve.cluster.SettingKind.Text;
import io.varve.cluster.SettingKind.Time;
import io.varve.cluster.SettingKind.Whole;
import java.util.List;

/**
 * Index settings for copies: their number, replication, retention of operations in the log, and
 * allocation.
 */
final class IndexCopySettings {

  static final List<Setting> ALL =
      List.of(
          fixed(
              IndexSettings.NUMBER_OF_SHARDS,
              new Whole(1, 1024),
              "1",
              "number of shards: the partitions of the index's topics"),
          fixed(
              IndexSettings.NUMBER_OF_ROUTING_SHARDS,
              SettingKinds.POSITIVE,
              null,
              "number of routing shards: the granularity of the routing hash"),
          dynamic(
                  IndexSettings.NUMBER_OF_REPLICAS,
                  new Whole(0, 100),
                  "1",
                  "number of replicas per shard")
              .notReplicated(),
          dynamic(
                  IndexSettings.AUTO_EXPAND_REPLICAS,
                  new Expansion(),
                  "false",
                  "bounds such as 0-1 or 0-all, within which the number of replicas is adapted to"
                      + " the number of data nodes")
              .notReplicated(),
          dynamic(
                  IndexSettings.WAIT_FOR_ACTIVE_SHARDS,
                  new Copies(),
                  "1",
                  "number of copies of a shard that must be active before a write proceeds; all"
                      + " means every copy")
              .notReplicated(),
          dynamic(
                  IndexSettings.NUMBER_OF_SEARCH_REPLICAS,
                  new Whole(0, 100),
                  "0",
                  "number of search-only copies per shard, on nodes with the role search")
              .notReplicated(),
          fixed(
                  IndexSettings.REPLICATION_TYPE,
                  SettingKinds.REPLICATION_TYPES,
                  null,
                  "replication type: replicas copy segments, or index the operations")
              .notReplicated(),
          fixed(
                  IndexSettings.REMOTE_STORE,
                  new Flag(),
                  null,
                  "whether segments are uploaded to the segment store; by default true if all data"
                      + " nodes have a store")
              .notReplicated(),
          dynamic(
                  IndexSettings.LOG_RETENTION,
                  new Choice(
                      List.of("forever", "auto"), "unknown value [", "] for index.log.retention"),
                  "forever",
                  "auto: operations that no copy and no following cluster needs any more are"
                      + " deleted from the log; forever: all operations are kept")
              .notReplicated(),
          dynamic(
                  IndexSettings.LOG_RETENTION_MIN_COPIES,
                  new Whole(1, 101),
                  "2",
                  "number of nodes that must have an operation in a durable commit before auto"
                      + " deletes it from the log; for a remote-backed index the segment store is"
                      + " sufficient")
              .notReplicated(),
          dynamic(
                  IndexSettings.LOG_RETENTION_GRACE,
                  new Time(0),
                  "30m",
                  "time for which auto keeps the operations that a copy on an absent node needs,"
                      + " unless all copies are started earlier. A follower without an active copy"
                      + " waits for its nodes for this time, then copies its leader again")
              .notReplicated(),
          dynamic(
                  IndexSettings.LEASE_PERIOD,
                  new Time(0),
                  "12h",
                  "time after which the lease of a follower cluster expires unless it is renewed;"
                      + " a lease retains operations that index.log.retention would delete")
              .notReplicated(),
          dynamic(
                  IndexSettings.LEASE_MAX_BYTES,
                  new Size(-1, 1L << 50),
                  "-1",
                  "maximum number of bytes of a shard's log, estimated from samples, that the lease"
                      + " of a follower cluster retains; beyond it, the lease ends; -1 for no"
                      + " limit")
              .notReplicated(),
          dynamic(
                  IndexSettings.DELAYED_TIMEOUT,
                  new Time(0),
                  "1m",
                  "time for which a copy on a node that left waits for the node before the copy is"
                      + " allocated to another node")
              .notReplicated(),
          dynamic(
                  IndexSettings.ALLOCATION_ENABLE,
                  SettingKinds.ALLOCATED,
                  null,
                  "kinds of copies that may be allocated; overrides the cluster setting")
              .notReplicated(),
          dynamic(
                  IndexSettings.REBALANCE_ENABLE,
                  SettingKinds.REBALANCED,
                  null,
                  "kinds of copies that may be rebalanced; overrides the cluster setting")
              .notReplicated(),
          dynamic(
                  IndexSettings.SHARDS_PER_NODE,
                  new Whole(-1, 1 << 30),
                  "-1",
                  "maximum number of copies of the index on a node")
              .notReplicated(),
          new Setting(
              IndexSettings.CONSISTENCY,
              SettingKinds.words("eventual", "strong"),
              "eventual",
              Setting.Change.STATIC,
              "strong: gets are linearizable and return only what every started copy holds",
              false),
          dynamic(
                  IndexSettings.MIN_IN_SYNC,
                  new Whole(1, 101),
                  "2",
                  "number of started copies, including the primary, that must hold a record of a"
                      + " strong index before a get returns it")
              .notReplicated(),
          dynamic(
                  IndexSettings.APPEALS,
                  SettingKinds.words("watermark", "digest", "none"),
                  "watermark",
                  "how a new primary of a strong index learns which records the copies hold."
                      + " watermark: each copy reports the seq_no up to which it holds all"
                      + " operations; digest: the primary compares ranges of documents by digests,"
                      + " and asks for single documents in ranges that differ; none: the primary"
                      + " asks for each record that is read or written")
              .notReplicated(),
          dynamic(
                  "index.routing.allocation.include.*",
                  new Text(),
                  null,
                  "copies are allocated to nodes that match at least one of these filters")
              .notReplicated(),
          dynamic(
                  "index.routing.allocation.exclude.*",
                  new Text(),
                  null,
                  "copies are not allocated to nodes that match any of these filters")
              .notReplicated(),
          dynamic(
                  "index.routing.allocation.require.*",
                  new Text(),
                  null,
                  "copies are allocated to nodes that match all of these filters")
              .notReplicated());

  private IndexCopySettings() {}
}
