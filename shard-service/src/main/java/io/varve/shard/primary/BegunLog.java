package io.varve.shard.primary;

import io.varve.log.LogException;
import io.varve.log.PartitionLog;

/**
 * Decides how to treat the log and the folder of a shard that began with content of another
 * cluster, such as its leader's segments. The log must then lack the shard's first operations, so
 * that no copy replays it without that content.
 *
 * <pre>
 *   the folder's last commit     the log up to the primary's fence
 *   before the first record      begins later                          DISCARD
 *                                has the shard's first operation       DISCARD
 *                                has no operation, and a manifest
 *                                is published                          DISCARD
 *                                has no operation                      TRUNCATE
 *   after records                begins with the first record, and
 *                                has no operation                      TRUNCATE
 *                                any other                             KEEP
 * </pre>
 *
 * <p>DISCARD: an earlier primary has begun the log while this one copied. Its operations were
 * accepted, or copies have started with the segments that it published. The log is therefore
 * authoritative, and the copy must be recovered from it. TRUNCATE after a commit repeats a
 * truncation that an earlier primary did not complete.
 */
public final class BegunLog {

  /** The decision. */
  public enum Outcome {
    KEEP,
    TRUNCATE,
    DISCARD
  }

  private BegunLog() {}

  /**
   * Reads the log up to its first accepted operation.
   *
   * @param nextOffset of the folder's last commit
   * @param nextSeqNo of the folder's last commit
   * @param endOffset of the fence in force, or of the log if there is no fence yet
   * @param isPublished whether a manifest is published; a primary whose commit is before the first
   *     record has not published it itself
   */
  public static Outcome decide(
      PartitionLog log, long nextOffset, long nextSeqNo, long endOffset, boolean isPublished)
      throws LogException {
    if (nextSeqNo == 0) {
      return Outcome.KEEP;
    }
    boolean lacksFirst = log.startOffset() == 0 && !FirstOperations.areIn(log, endOffset);
    if (nextOffset == 0 && (isPublished || !lacksFirst)) {
      return Outcome.DISCARD;
    }
    return lacksFirst ? Outcome.TRUNCATE : Outcome.KEEP;
  }
}
