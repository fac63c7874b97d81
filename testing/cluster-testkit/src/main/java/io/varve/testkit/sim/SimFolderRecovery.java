package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import io.varve.shard.primary.RecoverySchedule;
import io.varve.shard.primary.RecoverySchedule.FolderStep;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Carries out the steps of production's {@link RecoverySchedule} up to an open folder, as
 * production's {@code FolderRecovery} does. The claim of the segment store is a value in the {@link
 * Store} instead of a record.
 */
final class SimFolderRecovery {

  private final World world;
  private final PrimaryActor primary;
  private final PartitionLog log;
  private final PartitionLog manifests;
  private final RecoverySchedule schedule;
  private @Nullable Manifest stored;

  SimFolderRecovery(
      PrimaryActor primary, PartitionLog log, PartitionLog manifests, RecoverySchedule schedule) {
    this.world = primary.world;
    this.primary = primary;
    this.log = log;
    this.manifests = manifests;
    this.schedule = schedule;
  }

  /** Returns whether the folder is open; if not, no other copy has the operations that it lacks. */
  boolean run() throws LogException {
    FolderStep step = schedule.begin();
    while (true) {
      switch (step) {
        case FolderStep.VerifyPublished _ -> {
          verify();
          step = schedule.verified();
        }
        case FolderStep.ClaimStore _ -> {
          claim();
          step = schedule.claimed();
        }
        case FolderStep.Compare _ -> step = schedule.compared(content());
        case FolderStep.FetchFromStore _ ->
            step =
                isRebuiltFrom(RestoredFolder.fromStore(primary, stored))
                    ? schedule.filled()
                    : schedule.fetchFailed();
        case FolderStep.CopyFromPeer _ -> {
          if (!isRebuiltFrom(RestoredFolder.fromPeer(primary, manifests, LogBeginning.of(log)))) {
            return false;
          }
          step = schedule.filled();
        }
        case FolderStep.OpenFolder _ -> {
          return true;
        }
      }
    }
  }

  private void verify() throws LogException {
    boolean lost =
        LogLossCheck.isShownLost(world, log, manifests)
            || (world.indices().hasStore(primary.shard)
                && LogLossCheck.isAppliedLost(world, log, primary.checkpoint()));
    if (lost) {
      throw new LogException.Lost(log, "it lacks what was applied or published");
    }
  }

  private void claim() throws LogException.Unavailable {
    // The claim is appended to the manifests, so it needs them.
    var _ = manifests.endOffset();
    if (!world.store().isClaimed(primary.shard, primary.term())) {
      throw new LogException.Unavailable("a higher term has claimed the segment store");
    }
    stored = world.store().newest(primary.shard);
  }

  private RecoverySchedule.Content content() throws LogException {
    long start = log.startOffset();
    if (primary.checkpoint().nextOffset() < start) {
      primary.beginCarelesslyAt(start);
    }
    AppliedPosition folder = primary.checkpoint();
    Manifest held = stored;
    return new RecoverySchedule.Content(
        new LogPosition(folder.nextOffset(), folder.nextSeqNo(), folder.fenceTerm()),
        held == null
            ? null
            : new LogPosition(held.nextOffset(), held.nextSeqNo(), held.fenceTerm()),
        start);
  }

  private boolean isRebuiltFrom(Optional<RestoredFolder> base) {
    base.ifPresent(primary::rebuild);
    return base.isPresent();
  }
}
