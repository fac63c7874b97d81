package io.varve.testkit.sim;

import io.varve.cluster.Revival;
import io.varve.events.Operation;
import io.varve.events.RecordHeader;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.util.List;
import java.util.Objects;

/**
 * Continues a log that lost records, before the recovery of a primary, in the steps of production's
 * {@code ShardRevival}: appends the revival, commits the folder at the position after it, and
 * deletes the records before it.
 */
final class SimRevival {

  private static final long RETRY_MICROS = 40_000;

  private final PrimaryActor primary;
  private final PartitionLog log;
  private final Revival revival;

  SimRevival(PrimaryActor primary, PartitionLog log, Revival revival) {
    this.primary = primary;
    this.log = log;
    this.revival = revival;
  }

  void run(Runnable then) {
    long nextSeqNo = nextSeqNo();
    try {
      log.append(
          RecordHeader.revival(revival.term(), nextSeqNo, primary.node.nodeId()),
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {
              primary.after(0, () -> commit(offset, nextSeqNo, then));
            }

            @Override
            public void unknown(String reason) {
              primary.requestTerm(reason);
            }
          });
    } catch (LogException.Full e) {
      primary.requestTerm("full");
    }
  }

  /** A commit may hold operations after its checkpoint. */
  private long nextSeqNo() {
    long highest =
        primary.engine.fileContents().values().stream()
            .mapToLong(Operation::seqNo)
            .max()
            .orElse(-1);
    return Math.max(primary.checkpoint().nextSeqNo(), highest + 1);
  }

  private void commit(long offset, long nextSeqNo, Runnable then) {
    SimDisk.Commit held = primary.disk.commit;
    List<Segment> segments =
        held == null
            ? List.of()
            : held.files().stream()
                .map(name -> Objects.requireNonNull(primary.disk.files.get(name)))
                .toList();
    primary.rebuild(
        new RestoredFolder(
            new AppliedPosition(offset + 1, nextSeqNo, revival.term()),
            segments,
            primary.engine.committedData()));
    truncate(offset, then);
  }

  private void truncate(long offset, Runnable then) {
    try {
      log.truncateBefore(offset);
    } catch (LogException e) {
      primary.after(RETRY_MICROS, () -> truncate(offset, then));
      return;
    }
    then.run();
  }
}
