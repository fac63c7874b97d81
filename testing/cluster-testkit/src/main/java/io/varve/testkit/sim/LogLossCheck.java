package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogBeginning;
import io.varve.log.LogContinuity;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import org.jspecify.annotations.Nullable;

/**
 * Production's check that a copy makes before it serves or appends: whether the log still holds
 * everything that the copy has applied and that the newest manifest contains.
 */
final class LogLossCheck {

  /** Time after which a refused log is checked again. */
  static final long RETRY_MICROS = 200_000;

  private LogLossCheck() {}

  /** Whether the log lost operations that {@code checkpoint} or the newest manifest includes. */
  static boolean isLost(
      World world, PartitionLog log, PartitionLog manifests, AppliedPosition checkpoint)
      throws LogException {
    return isAppliedLost(world, log, checkpoint) || isShownLost(world, log, manifests);
  }

  /** Whether the log lost operations that {@code checkpoint} includes. */
  static boolean isAppliedLost(World world, PartitionLog log, AppliedPosition checkpoint)
      throws LogException.Unavailable {
    return isLost(
        world,
        log,
        new LogPosition(checkpoint.nextOffset(), checkpoint.nextSeqNo(), checkpoint.fenceTerm()));
  }

  /** Whether the log lost operations that the newest manifest includes. */
  static boolean isShownLost(World world, PartitionLog log, PartitionLog manifests)
      throws LogException {
    Manifest newest = new ManifestLog(manifests).before(manifests.endOffset(), false).published();
    return newest != null
        && isLost(
            world,
            log,
            new LogPosition(newest.nextOffset(), newest.nextSeqNo(), newest.fenceTerm()));
  }

  /** The manifest that a segment replica kept, unless the log has been revived since then. */
  static @Nullable Manifest kept(SimDisk disk, PartitionLog log) throws LogException {
    Manifest kept = disk.kept();
    return kept != null && kept.fenceTerm() < LogBeginning.of(log).revivedTerm() ? null : kept;
  }

  private static boolean isLost(World world, PartitionLog log, LogPosition position)
      throws LogException.Unavailable {
    // Mutated readers reach positions that no log can confirm.
    return !world.judgesCarelessly()
        && !world.mutated(Mutation.GO_ON_WITH_A_LOG_THAT_WENT_BACK)
        && LogContinuity.check(log, position) instanceof LogContinuity.Outcome.Lost;
  }
}
