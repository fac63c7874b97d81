package io.varve.node;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.rpc.ApiException;
import java.nio.file.Path;

/**
 * A copy whose points in time others may copy from: the primary. The files of a leased generation
 * stay where they are until the lease is released or ends by itself.
 */
public interface SnapshotSource {

  /** A file of a leased generation: complete, never changed. */
  record HeldFile(Path path, SegmentFile file) {}

  /**
   * Takes or renews {@code copyId}'s lease.
   *
   * @throws ApiException 410 {@code snapshot_gone_exception} when the generation is not held any
   *     more
   */
  Manifest lease(long generation, String copyId);

  /** Gives the lease back; an unknown one changes nothing. */
  void release(long generation, String copyId);

  /**
   * A file to read while the lease holds.
   *
   * @throws ApiException 410 when the generation is not held any more, 404 when it has no such file
   */
  HeldFile file(long generation, String name);
}
