package io.varve.cluster;

import io.varve.events.StoredRecord;

/**
 * Finds the complete snapshots in the cluster log. A snapshot is complete when all of its parts
 * were accepted one right after the other; a change of leaders or another event in between makes it
 * incomplete. Not thread-safe.
 *
 * <p>The log may be truncated to the snapshot before the newest. A reader that lags by less than
 * one snapshot interval therefore still finds its next record, and a truncated log always begins
 * with a complete snapshot: {@link ClusterFold} relies on this INVARIANT. Only accepted records
 * count, so a replaced leader can't truncate the log further than its successor.
 */
final class LogSnapshots {

  private static final long NONE = -1;

  private SnapshotSchedule schedule = SnapshotSchedule.START;
  private long newestFrom = NONE;
  private long formerFrom = NONE;

  private long partsFrom;
  private long partsBytes;
  private int nextPart = -1;

  void accepted(StoredRecord stored, ClusterEvent event) {
    int size = stored.record().sizeBytes();
    schedule = schedule.appended(size);
    if (!(event instanceof ClusterEvent.SnapshotPart part)) {
      nextPart = -1;
      return;
    }
    if (part.part() == 0) {
      nextPart = 0;
      partsFrom = stored.offset();
      partsBytes = 0;
    }
    if (part.part() != nextPart) {
      nextPart = -1;
      return;
    }
    nextPart++;
    partsBytes += size;
    if (nextPart == part.parts()) {
      formerFrom = newestFrom;
      newestFrom = partsFrom;
      nextPart = -1;
      schedule = schedule.written(partsBytes);
    }
  }

  void fenced() {
    nextPart = -1;
  }

  /** The offset before which the log is no longer needed; 0 if all of it is needed. */
  long removableBefore() {
    return Math.max(0, formerFrom);
  }

  SnapshotSchedule schedule() {
    return schedule;
  }
}
