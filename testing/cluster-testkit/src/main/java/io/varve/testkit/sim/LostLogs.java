package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;

/**
 * What a copy asks before it serves or appends, as production does: whether the log still holds
 * what it has applied, and what the newest manifest shows.
 */
final class LostLogs {

  /** Until a log that was refused is looked at again. */
  static final long RETRY_MICROS = 200_000;

  private LostLogs() {}

  /** Whether the log lost what {@code checkpoint} or the newest manifest says was applied. */
  static boolean isLost(
      World world, PartitionLog log, PartitionLog manifests, Checkpoint checkpoint)
      throws LogException {
    // Readers that bend the rules come to positions that no log can confirm.
    if (world.judgesCarelessly() || world.mutated(Mutation.GO_ON_WITH_A_LOG_THAT_WENT_BACK)) {
      return false;
    }
    Manifest newest = new ManifestLog(manifests).before(manifests.endOffset(), false).published();
    return isLost(
            log,
            new LogPosition(
                checkpoint.nextOffset(), checkpoint.nextSeqNo(), checkpoint.fenceTerm()))
        || (newest != null
            && isLost(
                log, new LogPosition(newest.nextOffset(), newest.nextSeqNo(), newest.fenceTerm())));
  }

  private static boolean isLost(PartitionLog log, LogPosition position)
      throws LogException.Unavailable {
    return LogContinuity.check(log, position) instanceof LogContinuity.Outcome.Lost;
  }
}
