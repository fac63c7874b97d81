package io.varve.shard.primary;

import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.host.CopyContext;
import io.varve.host.OpenedLog;
import io.varve.host.PeerRecovery;
import io.varve.host.RecoveryProgress;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import io.varve.shard.primary.RecoverySchedule.FolderStep;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes the steps of a {@link RecoverySchedule} until the data folder can be opened. The folder
 * is filled from the segment store or from another copy if it lacks operations that the log no
 * longer has, or if fetching files is faster than replaying the log.
 */
final class FolderRecovery {

  private static final Logger LOG = LoggerFactory.getLogger(FolderRecovery.class);

  private final CopyContext context;
  private final PrimaryStore store;
  private final PeerRecovery peers;
  private final RecoveryProgress progress;
  private final PartitionLog log;
  private final Path folder;
  private boolean filled;
  private @Nullable IOException storeFailure;
  private RecoverySchedule.@Nullable Content compared;

  FolderRecovery(
      CopyContext context, PrimaryStore store, PeerRecovery peers, RecoveryProgress progress) {
    this.context = context;
    this.store = store;
    this.peers = peers;
    this.progress = progress;
    this.log = context.operations();
    this.folder = context.folder().resolve("index");
  }

  Path path() {
    return folder;
  }

  /** The content of folder, store and log; null if it was not compared. */
  RecoverySchedule.@Nullable Content compared() {
    return compared;
  }

  /** Blocks until the folder can be opened; returns whether it was filled. */
  boolean run(RecoverySchedule schedule, long term)
      throws IOException, LogException, InterruptedException {
    FolderStep step = schedule.begin();
    while (true) {
      switch (step) {
        case FolderStep.VerifyPublished _ -> {
          OpenedLog.requireForPrimary(context);
          step = schedule.verified();
        }
        case FolderStep.ClaimStore _ -> {
          store.claim(term);
          step = schedule.claimed();
        }
        case FolderStep.Compare _ -> {
          RecoverySchedule.Content content = content();
          compared = content;
          step = schedule.compared(content);
        }
        case FolderStep.FetchFromStore _ -> step = fetch(schedule);
        case FolderStep.CopyFromPeer _ -> {
          copyFromPeer();
          step = schedule.filled();
        }
        case FolderStep.OpenFolder _ -> {
          return filled;
        }
      }
    }
  }

  private RecoverySchedule.Content content() throws LogException {
    LogBeginning beginning = LogBeginning.of(log);
    LogPosition held = OpenedLog.position(ClosedSegments.checkpoint(folder));
    LogPosition stored = store.stored();
    return new RecoverySchedule.Content(
        beginning.isBehind(held) ? OpenedLog.position(Checkpoint.NONE) : held,
        stored == null || beginning.isBehind(stored) ? null : stored,
        beginning.offset());
  }

  private FolderStep fetch(RecoverySchedule schedule) throws InterruptedException {
    try {
      store.fetch(folder, progress);
      filled = true;
      return schedule.filled();
    } catch (IOException e) {
      LOG.warn("{} can't be restored from the segment store", context.shard(), e);
      storeFailure = e;
      return schedule.fetchFailed();
    }
  }

  private void copyFromPeer() throws IOException, LogException, InterruptedException {
    try {
      peers.run(context, folder, progress);
      filled = true;
    } catch (IOException e) {
      IOException before = storeFailure;
      if (before != null) {
        e.addSuppressed(before);
      }
      throw e;
    }
  }
}
