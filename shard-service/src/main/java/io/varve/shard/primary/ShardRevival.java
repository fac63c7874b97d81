package io.varve.shard.primary;

import io.varve.cluster.Revival;
import io.varve.cluster.ShardRouting;
import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.engine.EngineConfig;
import io.varve.engine.ShardEngine;
import io.varve.events.RecordHeader;
import io.varve.host.CopyContext;
import io.varve.host.IndexMapping;
import io.varve.log.Appends;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Continues the log of a shard that lost records, before its primary recovers. The position of the
 * folder must be the one that the cluster state names.
 *
 * <ol>
 *   <li>Append a revival with the seq_no after the last one in the folder. Readers of the log whose
 *       position is before the revival must be rebuilt from this copy.
 *   <li>Commit the folder at the position after the revival.
 *   <li>Delete the records before the revival, so that it is the first record of the log: a copy
 *       that opens then detects that it must be rebuilt, see {@link io.varve.log.LogBeginning}.
 * </ol>
 *
 * Each step may be repeated after a failure: the position of the commit shows which steps are done.
 *
 * <p>INVARIANT: no fence is appended and no write is accepted before the last step.
 */
final class ShardRevival {

  private static final Logger LOG = LoggerFactory.getLogger(ShardRevival.class);

  private final CopyContext context;
  private final long term;
  private final Path folder;
  private final PartitionLog log;

  /**
   * @param term of this primary
   */
  ShardRevival(CopyContext context, long term) {
    this.context = context;
    this.term = term;
    this.folder = context.folder().resolve("index");
    this.log = context.operations();
  }

  /**
   * Does nothing unless the shard is to be revived.
   *
   * @throws LogException.Lost if the folder is not the one that was chosen
   */
  void run() throws IOException, LogException, InterruptedException {
    Optional<Revival> asked = context.routing().map(ShardRouting::revival);
    if (asked.isEmpty()) {
      return;
    }
    Revival revival = asked.get();
    Checkpoint held = ClosedSegments.checkpoint(folder);
    if (held.fenceTerm() > revival.term()) {
      return;
    }
    long offset =
        held.fenceTerm() == revival.term() ? held.nextOffset() - 1 : append(revival, held);
    log.truncateBefore(offset);
  }

  private long append(Revival revival, Checkpoint held)
      throws IOException, LogException, InterruptedException {
    if (held.nextSeqNo() != revival.nextSeqNo() || held.fenceTerm() != revival.fenceTerm()) {
      throw new LogException.Lost(
          log,
          "the shard is to be revived from a copy that continues at seq_no "
              + revival.nextSeqNo()
              + " of term "
              + revival.fenceTerm()
              + ", this one is at seq_no "
              + held.nextSeqNo()
              + " of term "
              + held.fenceTerm());
    }
    requireNoLaterFence(revival.term());
    EngineConfig config =
        new EngineConfig(context.shard(), folder, term, context.index().settings());
    try (ShardEngine engine = ShardEngine.open(config, new IndexMapping(context))) {
      // A commit may hold operations after its checkpoint; their seq_nos are not used again.
      long nextSeqNo = Math.max(held.nextSeqNo(), engine.highestSeqNo() + 1);
      String nodeId = context.node().identity().nodeId();
      long offset = Appends.await(log, RecordHeader.revival(revival.term(), nextSeqNo, nodeId));
      engine.commit(
          new Checkpoint(offset + 1, nextSeqNo, revival.term(), nextSeqNo - 1),
          engine.committedData());
      LOG.warn(
          "{} is revived: its log continues at offset {} with seq_no {}, all earlier operations"
              + " are those of this copy",
          context.shard(),
          offset,
          nextSeqNo);
      return offset;
    }
  }

  /**
   * If a later fence preceded the revival, readers would reject the revival and all records after
   * it.
   */
  private void requireNoLaterFence(long revivalTerm) throws IOException, LogException {
    long[] newest = {0};
    log.read(
        log.startOffset(),
        log.endOffset(),
        stored -> {
          byte[] header = stored.record().header();
          if (header.length > 0) {
            newest[0] = Math.max(newest[0], RecordHeader.read(header).term());
          }
        });
    if (newest[0] >= revivalTerm) {
      throw new IOException(
          "the log has records of term %d, which is not before term %d of the revival"
              .formatted(newest[0], revivalTerm));
    }
  }
}
