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
              "maximum time that a replica may be behind; a replica that lacks operations and"
                  + " exceeds both limits is stale"),
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
              "maximum search lag of a copy: beyond it, searches go to other copies, until the lag"
                  + " is at most half of it; 0 for no limit. The lag is the time for which the copy"
                  + " has lacked operations that its primary shows"),
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
              "a shard rejects writes when the bytes not yet uploaded exceed both 128 MiB and"
                  + " this multiple of an average upload"),
          dynamic(
              ClusterSettings.STORE_PRESSURE_TIME,
              new SettingKind.AtLeast(1),
              "10.0",
              "a shard rejects writes when the upload lag exceeds both 30 s and this multiple of"
                  + " the time of an average upload"),
          dynamic(
              ClusterSettings.STORE_WINDOW,
              new Whole(5, 10_000),
              "20",
              "number of uploads in the averages of remote_store.segment.pressure.*; the limits"
                  + " apply only after that many uploads"),
          dynamic(
              ClusterSettings.MERGES_AHEAD,
              new Flag(),
              "true",
              "whether merged segments are sent to replicas before the manifest that names them"),
          dynamic(
              ClusterSettings.MERGES_AHEAD_RATE,
              SettingKinds.RATE,
              "-1",
              "maximum number of bytes per second of merged segments that a node receives before"
                  + " their manifest; -1 or 0 for no limit"),
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
              "time within which the copies of a shard of a strong index must confirm that they"
                  + " hold a record; otherwise requests for it fail with 503"),
          dynamic(
              ClusterSettings.CONFIRM_WAITERS,
              new Whole(1, 1_000_000),
              "1000",
              "maximum number of requests that wait for the confirmation of one record; further"
                  + " requests get 429"),
          dynamic(
              ClusterSettings.CONFIRM_RECORDS,
              new Whole(1, 10_000_000),
              "100000",
              "maximum number of records of a shard that wait for their confirmation; requests"
                  + " for further records get 429"),
          dynamic(
              ClusterSettings.REREPLICATE_RATE,
              new Whole(-1, 10_000_000),
              "10000",
              "maximum number of records per second of all re-replication jobs on a node; -1 or 0"
                  + " for no limit"),
          dynamic(
              ClusterSettings.RECOVERY_RATE,
              SettingKinds.RATE,
              "-1",
              "maximum number of bytes per second that a node receives for recoveries, including"
                  + " running ones; -1 or 0 for no limit except"
                  + " `varve.replication.recovery-bytes-per-second`"),
          dynamic(
              ClusterSettings.BOOTSTRAP_RATE,
              SettingKinds.RATE,
              "40mb",
              "maximum number of bytes per second that a node receives when following indices"
                  + " bootstrap from the segments of their leaders, including running transfers; -1"
                  + " or 0 for no limit"),
          dynamic(
              ClusterSettings.OPENING,
              new Flag(),
              "true",
              "whether a new replica answers searches while its files are being fetched"),
          dynamic(
              ClusterSettings.OPENING_MIN_SIZE,
              SettingKinds.ANY_SIZE,
              "32mb",
              "a replica that lacks fewer bytes fetches all of them before it answers searches"));

  private ClusterReplicationSettings() {}
}
