package io.varve.shard.primary;

import io.varve.engine.ShardEngine;
import io.varve.host.CopyContext;
import io.varve.host.ShardCopy.State;
import io.varve.host.apply.AppliedCheckpoint;
import io.varve.log.FencedWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a primary works with once its term's fence is replayed to. */
record PrimaryParts(
    ShardEngine engine,
    FencedWriter writer,
    AppliedCheckpoint applied,
    Writing writing,
    Refresher refresher,
    Committer committer,
    PrimaryUpkeep upkeep) {

  /** The ways of a write into the log. */
  record Writing(Sequencer sequencer, PrimaryWrites writes, FollowedWrites followed) {}

  /** What was there before. */
  record Around(
      CopyContext context, long term, AppliedOperations applied, PublishedSnapshots snapshots) {}

  static PrimaryParts of(
      Around around,
      PrimaryRecovery.Reached reached,
      Refresher.Shown shown,
      Supplier<State> state,
      Consumer<String> failed) {
    CopyContext context = around.context();
    ShardEngine engine = reached.engine();
    long nextSeqNo = reached.replayed().fence().nextSeqNo();
    AppliedCheckpoint checkpoint =
        new AppliedCheckpoint(
            reached.fence().offset() + 1, nextSeqNo, reached.fence().timestampMillis());
    Writing writing = writing(around, reached, nextSeqNo);
    CommitPoints points =
        new CommitPoints(checkpoint, around.term(), writing.followed()::commitData);
    Refresher refresher =
        new Refresher(context, around.term(), engine, points, around.snapshots(), shown);
    Committer committer = new Committer(engine, points, context.node());
    around
        .applied()
        .begin(
            engine,
            checkpoint,
            new AppliedOperations.Told(
                bytes -> {
                  committer.applied(bytes);
                  refresher.applied();
                },
                failed));
    return new PrimaryParts(
        engine,
        reached.writer(),
        checkpoint,
        writing,
        refresher,
        committer,
        new PrimaryUpkeep(
            context,
            new PrimaryUpkeep.Copy(state, engine, failed),
            refresher,
            committer,
            around.snapshots()));
  }

  private static Writing writing(Around around, PrimaryRecovery.Reached reached, long nextSeqNo) {
    CopyContext context = around.context();
    Sequencer sequencer =
        new Sequencer(
            reached.engine(),
            reached.writer(),
            context.operations().maxRecordBytes(),
            nextSeqNo,
            around.applied()::accept);
    PrimaryWrites writes = new PrimaryWrites(context, reached.engine(), sequencer);
    return new Writing(
        sequencer,
        writes,
        new FollowedWrites(context, reached.engine(), sequencer, writes, around.term()));
  }

  Sequencer sequencer() {
    return writing.sequencer();
  }

  PrimaryWrites writes() {
    return writing.writes();
  }

  FollowedWrites followed() {
    return writing.followed();
  }
}
