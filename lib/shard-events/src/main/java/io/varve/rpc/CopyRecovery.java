package io.varve.rpc;

import io.varve.events.ShardId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a copy came to be what it is: from nothing, from its own folder, or from another copy.
 *
 * @param type {@code EMPTY_STORE}, {@code EXISTING_STORE}, {@code REMOTE_STORE} or {@code PEER}
 * @param stage {@code INIT}, {@code INDEX}, {@code VERIFY_INDEX}, {@code TRANSLOG}, {@code
 *     FINALIZE} or {@code DONE}
 * @param sourceNodeId the node that gave the files, if one did
 * @param operations read again from the log
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
   * When, by the node's clock; 0 for not yet.
   *
   * @param indexMillis spent on files
   * @param verifyMillis spent on verifying them
   * @param logMillis spent on the log
   */
  public record Times(
      long startMillis, long stopMillis, long indexMillis, long verifyMillis, long logMillis) {}

  /** The same of a copy that is built to take the place of one on that node. */
  public CopyRecovery from(String nodeId) {
    return new CopyRecovery(
        shard, copyId, primary, "PEER", stage, times, nodeId, files, operations);
  }

  /** A file that was needed; {@code reused} when it was there already. */
  public record File(String name, long lengthBytes, long recoveredBytes, boolean reused) {}
}
