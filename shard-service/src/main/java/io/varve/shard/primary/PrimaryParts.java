package io.varve.shard.primary;

import io.varve.cluster.IndexSettings;
import io.varve.engine.ShardEngine;
import io.varve.host.CopyContext;
import io.varve.host.ShardCopy.State;
import io.varve.host.apply.AppliedCheckpoint;
import io.varve.host.reading.LogEnd;
import io.varve.log.FencedWriter;
import io.varve.shard.replicated.Confirmer;
import io.varve.shard.replicated.Rereplications;
import io.varve.shard.replicated.StrongRecords;
import io.varve.shard.retention.PinnedCommits;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The parts of a primary that exist once the fence of its term is replayed. */
record PrimaryParts(
    ShardEngine engine,
    FencedWriter writer,
    AppliedCheckpoint applied,
    Writing writing,
    Refresher refresher,
    Committer committer,
    PrimaryUpkeep upkeep) {

  /**
   * The parts through which a write reaches the log.
   *
   * @param strong of a strongly consistent index; otherwise null
   */
  record Writing(
      Sequencer sequencer,
      PrimaryWrites writes,
      FollowedWrites followed,
      @Nullable StrongRecords strong) {

    void track() {
      if (strong != null) {
        strong.start();
      }
    }

    void close() {
      sequencer.gateClosed();
      if (strong != null) {
        strong.close();
      }
    }
  }

  /** The objects of the copy that its parts use. */
  record Dependencies(
      CopyContext context,
      long term,
      AppliedOperations applied,
      PublishedSnapshots snapshots,
      LogEnd logEnd,
      Rereplications rereplications) {}

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
    AtomicReference<@Nullable Refresher> shows = new AtomicReference<>();
    Writing writing =
        writing(
            copy,
            reached,
            nextSeqNo,
            seqNo -> {
              Refresher now = shows.get();
              if (now != null && shown.visible().current() < seqNo) {
                var _ = now.refresh();
              }
            });
    CommitPoints points = new CommitPoints(checkpoint, copy.term(), writing.followed()::commitData);
    Refresher refresher =
        new Refresher(context, copy.term(), engine, points, copy.snapshots(), shown);
    shows.set(refresher);
    Committer committer =
        new Committer(
            engine,
            points,
            context.node(),
            () -> PinnedCommits.committed(context, engine.maxSeqNo()));
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
            new PrimaryUpkeep.Copy(state, engine, shown.visible(), failed),
            refresher,
            committer,
            copy.snapshots()));
  }

  private static Writing writing(
      Dependencies copy, PrimaryRecovery.Reached reached, long nextSeqNo, LongConsumer show) {
    CopyContext context = copy.context();
    Sequencer sequencer =
        new Sequencer(
            reached.engine(),
            reached.writer(),
            context.operations().maxRecordBytes(),
            nextSeqNo,
            copy.applied()::accept);
    StrongRecords strong =
        IndexSettings.isStrong(context.settings())
            ? new StrongRecords(
                context,
                copy.term(),
                nextSeqNo,
                reached.engine(),
                new Confirmer.Primary(
                    context.shard(),
                    Confirmer.documents(reached.engine()),
                    copy.applied().seqNo(),
                    copy.logEnd(),
                    show),
                copy.rereplications())
            : null;
    PrimaryWrites writes =
        new PrimaryWrites(
            context, reached.engine(), sequencer, strong == null ? null : strong.bases());
    return new Writing(
        sequencer,
        writes,
        new FollowedWrites(context, reached.engine(), sequencer, writes, copy.term()),
        strong);
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
