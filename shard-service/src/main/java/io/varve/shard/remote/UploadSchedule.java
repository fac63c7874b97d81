package io.varve.shard.remote;

import io.varve.store.ExponentialBackOff;

/**
 * Decides when the next upload and the next garbage collection of a shard begin.
 *
 * <pre>
 *   after an upload              the upload interval passes before the next upload
 *   after the n-th failure       the back-off of n failures in a row passes
 *   garbage collection           begins at a fixed interval, while no upload is due
 * </pre>
 *
 * Not thread-safe.
 */
final class UploadSchedule {

  private final long uploadIntervalMillis;
  private final long garbageIntervalMillis;
  private final ExponentialBackOff backOff;
  private int failuresInARow;
  private long uploadNotBeforeMillis;
  private long garbageAtMillis;

  UploadSchedule(
      long uploadIntervalMillis, long garbageIntervalMillis, ExponentialBackOff backOff) {
    this.uploadIntervalMillis = uploadIntervalMillis;
    this.garbageIntervalMillis = garbageIntervalMillis;
    this.backOff = backOff;
  }

  void begin(long nowMillis) {
    garbageAtMillis = nowMillis + garbageIntervalMillis;
  }

  void uploaded(long nowMillis) {
    failuresInARow = 0;
    uploadNotBeforeMillis = nowMillis + uploadIntervalMillis;
  }

  void failed(long nowMillis) {
    failuresInARow++;
    uploadNotBeforeMillis = nowMillis + backOff.delayMillis(failuresInARow);
  }

  /** The number of the next attempt since the last upload that succeeded, from 1. */
  int attempt() {
    return failuresInARow + 1;
  }

  /**
   * Returns the time until there is work, 0 or less if there is some now.
   *
   * @param uploadIsDue whether a snapshot is newer than the store
   */
  long waitMillis(boolean uploadIsDue, long nowMillis) {
    return (uploadIsDue ? uploadNotBeforeMillis : garbageAtMillis) - nowMillis;
  }

  /** Whether a garbage collection begins now; the next one is due an interval later. */
  boolean takeGarbageCollection(long nowMillis) {
    if (nowMillis < garbageAtMillis) {
      return false;
    }
    garbageAtMillis = nowMillis + garbageIntervalMillis;
    return true;
  }
}
