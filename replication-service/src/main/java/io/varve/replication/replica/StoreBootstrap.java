package io.varve.replication.replica;

import io.varve.engine.SegmentEngine;
import io.varve.events.Manifest;
import io.varve.events.StoredManifest;
import io.varve.host.CopyContext;
import io.varve.host.RecoveryProgress;
import io.varve.host.StoreRecovery;
import io.varve.rpc.CopyStats;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Fills a folder with the files of the segment store, as a replica would; a writer that opens the
 * folder then starts from them. Local files are not fetched.
 */
public record StoreBootstrap(SegmentTransfers transfers) implements StoreRecovery {

  @Override
  public CopyStats.Downloads run(
      CopyContext context, Path folder, StoredManifest target, RecoveryProgress recovery)
      throws IOException, InterruptedException {
    Manifest manifest = Objects.requireNonNull(target.manifest(), "nothing is stored");
    ReplicaFolder opened = ReplicaFolder.open(context, transfers, folder);
    SegmentEngine engine = opened.engine();
    try {
      SegmentFollower follower =
          new SegmentFollower(
              opened,
              new CopySources.Known(() -> null, () -> target),
              RoundObserver.NONE,
              recovery,
              new PeerPlaces(context));
      if (follower.run(manifest) instanceof SegmentFollower.Ended.Failed failed) {
        throw new IOException("from the segment store: " + failed.reason());
      }
      engine.sync();
      recovery.type(RecoveryProgress.Type.REMOTE_STORE);
      return follower.fromStore();
    } finally {
      engine.close();
    }
  }
}
