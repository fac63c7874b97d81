package io.varve.shard.primary;

import io.varve.engine.ShardEngine;
import io.varve.host.CopyContext;
import io.varve.host.ShardCopy.State;
import io.varve.host.apply.AppliedCheckpoint;
import io.varve.log.FencedWriter;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The parts of a primary that exist once the fence of its term is replayed. */
record PrimaryParts(
    ShardEngine engine,
    FencedWriter writer,
    AppliedCheckpoint applied,
    Writing writing,
    Refresher refresher,
    Committer committer,
    PrimaryUpkeep upkeep) {

  /** The parts through which a write reaches the log. */
  record Writing(Sequencer sequencer, PrimaryWrites writes, FollowedWrites followed) {}

  /** The objects of the copy that its parts use. */
  record Dependencies(
      CopyContext context, long term, AppliedOperations applied, PublishedSnapshots snapshots) {}

  static PrimaryParts of(
      Dependencies copy,
      PrimaryRecovery.Reached reached,
      Refresher.Shown shown,
      Supplier<State> state,
      Consumer<String> failed) {
    CopyContext context = copy.context();
    ShardEngine engine = reached.engine();
    long nextSeqNo = reached.replayed().fence().nextSeqNo();
    AppliedCheckpoint checkpoint =
        new AppliedCheckpoint(
            reached.fence().offset() + 1, nextSeqNo, reached.fence().timestampMillis());
    Writing writing = writing(copy, reached, nextSeqNo);
    CommitPoints points = new CommitPoints(checkpoint, copy.term(), writing.followed()::commitData);
    Refresher refresher =
        new Refresher(context, copy.term(), engine, points, copy.snapshots(), shown);
    Committer committer = new Committer(engine, points, context.node());
    copy.applied()
        .begin(
            engine,
            checkpoint,
            new AppliedOperations.Listeners(
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
            copy.snapshots()));
  }

  private static Writing writing(
      Dependencies copy, PrimaryRecovery.Reached reached, long nextSeqNo) {
    CopyContext context = copy.context();
    Sequencer sequencer =
        new Sequencer(
            reached.engine(),
            reached.writer(),
            context.operations().maxRecordBytes(),
            nextSeqNo,
            copy.applied()::accept);
    PrimaryWrites writes = new PrimaryWrites(context, reached.engine(), sequencer);
    return new Writing(
        sequencer,
        writes,
        new FollowedWrites(context, reached.engine(), sequencer, writes, copy.term()));
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
