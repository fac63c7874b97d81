package io.varve.cluster;

import io.varve.text.ByteValues;

/**
 * Decides when the leader writes a snapshot to the cluster log.
 *
 * <pre>
 *   due  =  (records >= limit of records  or  bytes >= limit of bytes)  and  bytes >= size of the last snapshot
 * </pre>
 *
 * <p>Because of the last condition, snapshots are at most half of the bytes written, regardless of
 * the size of the state. Accepted records are counted since the last snapshot was begun, complete
 * or not, so that a failed snapshot is not retried immediately.
 *
 * @param records since the last snapshot
 * @param bytes of these records
 * @param snapshotBytes of the last snapshot, 0 before the first
 */
public record SnapshotSchedule(long records, long bytes, long snapshotBytes) {

  public static final SnapshotSchedule START = new SnapshotSchedule(0, 0, 0);

  /** The limits from the cluster settings. */
  public record Limits(long records, long bytes) {
    public static Limits of(ClusterState state) {
      String size = String.valueOf(ClusterSettings.value(state, ClusterSettings.SNAPSHOT_SIZE));
      return new Limits(
          (long) ClusterSettings.number(state, ClusterSettings.SNAPSHOT_RECORDS),
          ByteValues.parseBytes(ClusterSettings.SNAPSHOT_SIZE, size));
    }
  }

  public SnapshotSchedule appended(int recordBytes) {
    return new SnapshotSchedule(records + 1, bytes + recordBytes, snapshotBytes);
  }

  public SnapshotSchedule written(long newSnapshotBytes) {
    return new SnapshotSchedule(0, 0, newSnapshotBytes);
  }

  public boolean due(Limits limits) {
    return (records >= limits.records || bytes >= limits.bytes) && bytes >= snapshotBytes;
  }
}
