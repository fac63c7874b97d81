package io.varve.host;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import io.varve.rpc.ApiException;
import io.varve.rpc.CopyStats;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/**
 * A copy whose snapshots other nodes may copy: a primary's published snapshots, or those that a
 * segment replica shows. The files of a leased snapshot are kept until the lease is released or
 * expires.
 */
public interface SnapshotSource {

  /** A file of a held snapshot: complete, never changed. */
  record HeldFile(Path path, SegmentFile file) {}

  /** The answer to a request for a lease. */
  sealed interface Lease {

    /** The snapshot is held, and its files can be read. */
    record Held(Manifest manifest) implements Lease {}

    /**
     * This copy is still fetching the snapshot.
     *
     * @param missingBytes the bytes that it still lacks, if known
     */
    record OnItsWay(long missingBytes) implements Lease {}
  }

  /**
   * Counts the bytes that other copies have read from this one.
   *
   * @param bytes of files
   * @param wireBytes the bytes sent over the network, fewer if they were compressed
   * @param aheadBytes the share of {@code bytes} that belongs to merged segments that no manifest
   *     named yet
   * @param aheadNanos how long sending that took
   */
  record Sent(LongAdder bytes, LongAdder wireBytes, LongAdder aheadBytes, LongAdder aheadNanos) {
    public Sent() {
      this(new LongAdder(), new LongAdder(), new LongAdder(), new LongAdder());
    }

    public void add(long fileBytes, long sentBytes) {
      bytes.add(fileBytes);
      wireBytes.add(sentBytes);
    }

    /** Adds bytes of a merged segment, which are also part of all bytes. */
    public void addAhead(long fileBytes, long tookNanos) {
      aheadBytes.add(fileBytes);
      aheadNanos.add(tookNanos);
    }

    /** The merged segments that were sent before their manifest. */
    public CopyStats.Moved ahead() {
      return new CopyStats.Moved(aheadBytes.sum(), aheadNanos.sum() / 1_000_000);
    }

    /** The statistics of a copy, with these numbers as the bytes that it sent. */
    public CopyStats.Copied stats(
        long fromPrimary, long fromReplicas, long ahead, long opening, long linked) {
      return new CopyStats.Copied(
          fromPrimary, fromReplicas, ahead, opening, linked, bytes.sum(), wireBytes.sum());
    }
  }

  /**
   * Takes or renews {@code copyId}'s lease, waiting for the snapshot for at most {@code waitMillis}
   * if this copy does not have it yet.
   *
   * @throws ApiException 410 {@code snapshot_gone_exception} if the snapshot is no longer held
   */
  Lease lease(SnapshotId id, String copyId, long waitMillis) throws InterruptedException;

  /** Releases the lease permanently; an unknown lease is ignored. */
  void release(SnapshotId id, String copyId);

  /**
   * A file of a snapshot; it can be read while the lease is valid.
   *
   * @throws ApiException 410 if the snapshot is no longer held, 404 if it has no such file
   */
  HeldFile file(SnapshotId id, String name);

  /**
   * A file of a merged segment that no snapshot names yet.
   *
   * @throws ApiException 410 if the segment is not, or no longer, on this node, 404 if it has no
   *     such file
   */
  HeldFile merged(SnapshotId merge, String name);

  /** Counts the bytes that other copies read from this one. */
  Sent sent();

  /** The error for a snapshot that is no longer held. */
  static ApiException gone(SnapshotId id) {
    return new ApiException(
        410, "snapshot_gone_exception", "snapshot " + id + " is no longer held");
  }

  /** The error for a held snapshot without that file. */
  static ApiException noFile(SnapshotId id, String name) {
    return new ApiException(
        404, "resource_not_found_exception", "snapshot " + id + " has no file [" + name + "]");
  }
}
