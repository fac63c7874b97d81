package io.varve.replication.replica;

import io.varve.engine.SegmentEngine;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.host.RecoveryProgress;
import java.util.function.Consumer;

/** The parts of a segment replica that exist once its folder is open. */
record ReplicaParts(
    SegmentEngine engine,
    SegmentFollower follower,
    Opening opening,
    ShownSnapshots snapshots,
    HeldContent content) {

  /**
   * @param opened called with each manifest that is shown before its files are local
   */
  static ReplicaParts of(
      ReplicaFolder folder,
      ManifestFeed feed,
      ReplicaStats stats,
      RecoveryProgress recovery,
      Consumer<Manifest> opened) {
    CopyContext context = folder.context();
    CopySources.Known known = new CopySources.Known(feed::newest, feed::stored);
    Opening opening = new Opening(context, folder.transfers(), folder.engine(), known, opened);
    SegmentFollower follower =
        new SegmentFollower(
            folder, known, observer(opening, stats), recovery, new PeerPlaces(context));
    ShownSnapshots snapshots =
        new ShownSnapshots(
            context.node(),
            folder.files().directory(),
            stats::missingBytes,
            follower.merged()::file);
    return new ReplicaParts(folder.engine(), follower, opening, snapshots, new HeldContent(folder));
  }

  private static RoundObserver observer(Opening opening, ReplicaStats stats) {
    return new RoundObserver() {
      @Override
      public void needed(long bytes) {
        opening.lacks(bytes);
      }

      @Override
      public void missing(long bytes) {
        stats.missing(bytes);
      }
    };
  }

  MergedArrivals merges() {
    return follower.merged();
  }
}
