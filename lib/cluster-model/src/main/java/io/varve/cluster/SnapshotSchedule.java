package io.varve.cluster;

import io.varve.text.ByteValues;

/**
 * When the leader writes a snapshot into the cluster log.
 *
 * <pre>
 *   due  =  (records >= limit of records  or  bytes >= limit of bytes)  and  bytes >= size of the last snapshot
 * </pre>
 *
 * <p>The last condition keeps the share of snapshots in what is written at one half or less,
 * however large the state is. What is counted are accepted records since the last snapshot was
 * begun, complete or not: one that failed is not tried again at once.
 *
 * @param records since the last snapshot
 * @param bytes of these records
 * @param snapshotBytes of the last snapshot, 0 before the first
 */
public record SnapshotSchedule(long records, long bytes, long snapshotBytes) {

  public static final SnapshotSchedule START = new SnapshotSchedule(0, 0, 0);

  /** The limits that the settings of a cluster give. */
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
