package io.varve.cluster;

import static io.varve.cluster.Setting.dynamic;

import io.varve.cluster.SettingKind.Flag;
import io.varve.cluster.SettingKind.Time;
import io.varve.cluster.SettingKind.Whole;
import java.util.List;

/**
 * Cluster settings for replication: its type, the back-pressure on writes when replicas or the
 * segment store fall behind, and merged segments that are sent ahead of their manifest.
 */
final class ClusterReplicationSettings {

  static final List<Setting> ALL =
      List.of(
          dynamic(
              ClusterSettings.REPLICATION_STRATEGY,
              SettingKinds.REPLICATION_TYPES,
              IndexMetadata.SEGMENT,
              "default of index.replication.type for new indices"),
          dynamic(
              ClusterSettings.RESTRICT_REPLICATION,
              new Flag(),
              "false",
              "whether new indices must use the replication type of the cluster"),
          dynamic(
              ClusterSettings.PRESSURE_ENABLED,
              new Flag(),
              "true",
              "whether writes are rejected while segment replicas are too far behind"),
          dynamic(
              ClusterSettings.PRESSURE_CHECKPOINTS,
              new Whole(1, Integer.MAX_VALUE),
              "30",
              "maximum number of checkpoints that a replica may be behind"),
          dynamic(
              ClusterSettings.PRESSURE_TIME,
              new Time(0),
              "5m",
              "maximum time that a replica may be behind; a replica beyond both limits "
                  + "that lacks operations is"
                  + " stale"),
          dynamic(
              ClusterSettings.FAIL_TIME,
              new Time(0),
              "0",
              "time after which a stale segment replica or search-only copy is failed "
                  + "and rebuilt; 0 for never"),
          dynamic(
              ClusterSettings.DRAIN_TIME,
              new Time(0),
              "30s",
              "time for which a copy may lack operations that its primary shows before "
                  + "searches go to other copies, until it has lacked them for at most half "
                  + "that time; 0: searches never go to other"
                  + " copies"),
          dynamic(
              ClusterSettings.PRESSURE_STALE_SHARE,
              new SettingKind.Share(),
              "0.5",
              "fraction of stale replicas at which a shard rejects writes"),
          dynamic(
              ClusterSettings.STORE_PRESSURE_ENABLED,
              new Flag(),
              "true",
              "whether writes are rejected while uploads to the segment store are too far behind"),
          dynamic(
              ClusterSettings.STORE_PRESSURE_FAILURES,
              new Whole(1, Integer.MAX_VALUE),
              "5",
              "consecutive failed uploads after which a shard rejects writes"),
          dynamic(
              ClusterSettings.STORE_PRESSURE_BYTES,
              new SettingKind.AtLeast(1),
              "10.0",
              "a shard rejects writes when the bytes not yet uploaded exceed this "
                  + "multiple of an average upload, and 128 MiB"),
          dynamic(
              ClusterSettings.STORE_PRESSURE_TIME,
              new SettingKind.AtLeast(1),
              "10.0",
              "a shard rejects writes when the upload lag exceeds this multiple of the "
                  + "time of an average upload, and 30 s"),
          dynamic(
              ClusterSettings.STORE_WINDOW,
              new Whole(5, 10_000),
              "20",
              "number of uploads in these averages; the limits do not apply before that many"),
          dynamic(
              ClusterSettings.MERGES_AHEAD,
              new Flag(),
              "true",
              "whether merged segments are sent to replicas before the manifest that names them"),
          dynamic(
              ClusterSettings.MERGES_AHEAD_RATE,
              SettingKinds.RATE,
              "-1",
              "bytes per second of merged segments that a node receives; -1 or 0 for no limit"),
          dynamic(
              ClusterSettings.MERGES_AHEAD_TIMEOUT,
              new Time(0),
              "15m",
              "maximum time that a merged segment waits for replicas before it becomes visible"),
          dynamic(
              ClusterSettings.MERGES_AHEAD_MIN_SIZE,
              SettingKinds.ANY_SIZE,
              "5mb",
              "merged segments below this size are not sent ahead of their manifest"),
          dynamic(
              ClusterSettings.MERGES_AHEAD_RETENTION,
              new Time(10_000),
              "15m",
              "time for which a replica keeps a merged segment that no manifest names"),
          dynamic(
              ClusterSettings.CONFIRM_TIMEOUT,
              new Time(100, 300_000),
              "5s",
              "maximum time that the copies of a shard of a strong index have to confirm that they"
                  + " hold a record; then requests for it fail with 503"),
          dynamic(
              ClusterSettings.CONFIRM_WAITERS,
              new Whole(1, 1_000_000),
              "1000",
              "requests that may wait for the confirmation of one record; more get 429"),
          dynamic(
              ClusterSettings.CONFIRM_RECORDS,
              new Whole(1, 10_000_000),
              "100000",
              "records of a shard that may wait for their confirmation; requests for others get"
                  + " 429"),
          dynamic(
              ClusterSettings.REREPLICATE_RATE,
              new Whole(-1, 10_000_000),
              "10000",
              "records per second of all re-replication jobs on a node; -1 or 0 for no limit"),
          dynamic(
              ClusterSettings.RECOVERY_RATE,
              SettingKinds.RATE,
              "-1",
              "bytes per second that a node receives for recoveries, including running "
                  + "ones; -1 or 0 for no limit except"
                  + " `varve.replication.recovery-bytes-per-second`"),
          dynamic(
              ClusterSettings.BOOTSTRAP_RATE,
              SettingKinds.RATE,
              "40mb",
              "bytes per second of leaders' segments that a node receives for following indices "
                  + "that begin, including running copies; -1 or 0 for no limit"),
          dynamic(
              ClusterSettings.OPENING,
              new Flag(),
              "true",
              "whether a new replica answers searches while its files are being fetched"),
          dynamic(
              ClusterSettings.OPENING_MIN_SIZE,
              SettingKinds.ANY_SIZE,
              "32mb",
              "a replica that lacks fewer bytes is copied completely before it answers"));

  private ClusterReplicationSettings() {}
}
