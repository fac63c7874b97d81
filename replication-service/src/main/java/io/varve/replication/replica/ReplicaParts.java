package io.varve.replication.replica;

import io.varve.engine.EngineConfig;
import io.varve.engine.ReaderWarmer;
import io.varve.engine.SegmentEngine;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.host.RecoveryCourse;
import io.varve.store.CopyFolder;
import java.nio.file.Path;

/** What a segment replica is made of once its folder is open. */
record ReplicaParts(
    SegmentEngine engine, SegmentFollower follower, Opening opening, ShownSnapshots snapshots) {

  /** The replica: what its parts tell it, and ask of it. */
  interface Owner {

    /** That manifest is shown before its files are here. */
    void opened(Manifest manifest);

    /** The round under way still needs so much. */
    void missing(long bytes);

    /** What those are told who wait for this copy. */
    long missingBytes();

    MergedArrivals merges();

    RecoveryCourse recovery();
  }

  /** Opens what the folder holds. */
  static ReplicaParts open(
      CopyContext context,
      SegmentTransfers transfers,
      ReaderWarmer warmer,
      ManifestFeed feed,
      Owner owner) {
    Path directory = context.folder().resolve("index");
    SegmentEngine engine =
        SegmentEngine.open(
            new EngineConfig(context.shard(), directory, 0, context.index().settings()));
    engine.warmWith(warmer);
    ShownSnapshots snapshots =
        new ShownSnapshots(
            context.node(),
            directory,
            owner::missingBytes,
            (id, name) -> owner.merges().file(id, name));
    Opening opening =
        new Opening(
            context,
            transfers,
            engine,
            new CopySources.Known(feed::newest, feed::stored),
            owner::opened);
    SegmentFollower follower =
        new SegmentFollower(
            context,
            transfers,
            engine,
            new CopyFolder(directory),
            new SegmentFollower.Known(
                feed::newest, feed::stored, opening::lacks, owner::missing, snapshots::shown),
            owner.recovery());
    return new ReplicaParts(engine, follower, opening, snapshots);
  }
}
