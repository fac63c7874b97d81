package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;

import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Time;
import io.varve.cluster.SettingKind.Whole;
import java.util.List;

/**
 * Settings of the cluster on how copies come by their segments and what happens when they fall
 * behind: the kind of replication, the pressure by which writes are refused (replicas, then the
 * segment store), and merged segments that travel ahead of their manifest.
 */
final class ClusterReplicationSettings {

  static final List<Setting> ALL =
      List.of(
          dynamic(
              ClusterSettings.REPLICATION_STRATEGY,
              SettingKinds.REPLICATION_TYPES,
              IndexMetadata.SEGMENT,
              "index.replication.type of indices created without one"),
          dynamic(
              ClusterSettings.RESTRICT_REPLICATION,
              new Flag(),
              "false",
              "whether indices can only be created with the replication of the cluster"),
          dynamic(
              ClusterSettings.PRESSURE_ENABLED,
              new Flag(),
              "true",
              "whether writes are refused while segment replicas fall further behind"),
          dynamic(
              ClusterSettings.PRESSURE_CHECKPOINTS,
              new Whole(1, Integer.MAX_VALUE),
              "30",
              "checkpoints that a replica may be behind"),
          dynamic(
              ClusterSettings.PRESSURE_TIME,
              new Time(0),
              "5m",
              "for how long; a replica that passes both limits, and lacks operations, is"
                  + " stale"),
          dynamic(
              ClusterSettings.FAIL_TIME,
              new Time(0),
              "0",
              "for how long a segment replica, or a copy for searches, may be stale before it"
                  + " is given up and built anew; 0 for ever"),
          dynamic(
              ClusterSettings.DRAIN_TIME,
              new Time(0),
              "30s",
              "for how long a copy may lack operations that its primary shows before searches"
                  + " go to the other copies, and until it lacks them for half as long; 0 for"
                  + " ever"),
          dynamic(
              ClusterSettings.PRESSURE_STALE_SHARE,
              new SettingKind.Share(),
              "0.5",
              "share of stale replicas from which a shard refuses writes"),
          dynamic(
              ClusterSettings.STORE_PRESSURE_ENABLED,
              new Flag(),
              "true",
              "whether writes are refused while the segment store falls further behind"),
          dynamic(
              ClusterSettings.STORE_PRESSURE_FAILURES,
              new Whole(1, Integer.MAX_VALUE),
              "5",
              "uploads that may fail one after the other before a shard refuses writes"),
          dynamic(
              ClusterSettings.STORE_PRESSURE_BYTES,
              new SettingKind.AtLeast(1),
              "10.0",
              "a shard refuses writes when the store lacks so many times the bytes of an"
                  + " average upload, and more than 128 MiB"),
          dynamic(
              ClusterSettings.STORE_PRESSURE_TIME,
              new SettingKind.AtLeast(1),
              "10.0",
              "a shard refuses writes when the store is behind for so many times the time of an"
                  + " average upload, and more than 30 s"),
          dynamic(
              ClusterSettings.STORE_WINDOW,
              new Whole(5, 10_000),
              "20",
              "uploads that those averages are made of; before so many there are none"),
          dynamic(
              ClusterSettings.MERGES_AHEAD,
              new Flag(),
              "true",
              "whether replicas get merged segments before the manifest that names them"),
          dynamic(
              ClusterSettings.MERGES_AHEAD_RATE,
              SettingKinds.RATE,
              "-1",
              "bytes of them that a node receives in a second; -1 or 0 for no limit"),
          dynamic(
              ClusterSettings.MERGES_AHEAD_TIMEOUT,
              new Time(0),
              "15m",
              "longest time that a merged segment waits for its replicas before it is shown"),
          dynamic(
              ClusterSettings.MERGES_AHEAD_MIN_SIZE,
              SettingKinds.ANY_SIZE,
              "5mb",
              "smaller merged segments travel with their manifest"),
          dynamic(
              ClusterSettings.MERGES_AHEAD_RETENTION,
              new Time(10_000),
              "15m",
              "how long a replica keeps a merged segment that no manifest names"),
          dynamic(
              ClusterSettings.RECOVERY_RATE,
              SettingKinds.RATE,
              "-1",
              "bytes in a second that a node receives for copies that are being built, also for"
                  + " those under way; -1 or 0 for no limit but"
                  + " `varve.replication.recovery-bytes-per-second`"),
          dynamic(
              ClusterSettings.OPENING,
              new Flag(),
              "true",
              "whether a new replica answers searches while its files are on their way"),
          dynamic(
              ClusterSettings.OPENING_MIN_SIZE,
              SettingKinds.ANY_SIZE,
              "32mb",
              "a replica that lacks less is copied before it answers"));

  private ClusterReplicationSettings() {}
}
