package io.varve.rpc;

import io.varve.events.ShardId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recovery of a copy: from nothing, from its own folder, or from another copy.
 *
 * @param type {@code EMPTY_STORE}, {@code EXISTING_STORE}, {@code REMOTE_STORE} or {@code PEER}
 * @param stage {@code INIT}, {@code INDEX}, {@code VERIFY_INDEX}, {@code TRANSLOG}, {@code
 *     FINALIZE} or {@code DONE}
 * @param sourceNodeId the node that provided the files, if any
 * @param operations replayed from the log
 */
public record CopyRecovery(
    ShardId shard,
    String copyId,
    boolean primary,
    String type,
    String stage,
    Times times,
    @Nullable String sourceNodeId,
    List<File> files,
    long operations) {

  /**
   * Timestamps by the node's clock; 0 for not yet.
   *
   * @param indexMillis time spent on files
   * @param verifyMillis time spent on verification
   * @param logMillis time spent on replay
   */
  public record Times(
      long startMillis, long stopMillis, long indexMillis, long verifyMillis, long logMillis) {}

  /** The recovery of a copy that relocates from this node. */
  public CopyRecovery from(String nodeId) {
    return new CopyRecovery(
        shard, copyId, primary, "PEER", stage, times, nodeId, files, operations);
  }

  /** A required file; {@code reused} if it was already present. */
  public record File(String name, long lengthBytes, long recoveredBytes, boolean reused) {}
}
