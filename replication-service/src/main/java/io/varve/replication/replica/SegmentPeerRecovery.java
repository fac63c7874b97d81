package io.varve.replication.replica;

import io.varve.cluster.IndexMetadata;
import io.varve.engine.ClosedSegments;
import io.varve.engine.SegmentEngine;
import io.varve.events.Manifest;
import io.varve.host.CopyContext;
import io.varve.host.OpenedLog;
import io.varve.host.PeerRecovery;
import io.varve.host.RecoveryProgress;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies the newest published manifest from the copies that have it, as a segment replica does, and
 * leaves a folder that a writer can open. When a newer manifest is published during the copy, that
 * one is copied, and files that have arrived are kept.
 */
public record SegmentPeerRecovery(SegmentTransfers transfers) implements PeerRecovery {

  private static final Logger LOG = LoggerFactory.getLogger(SegmentPeerRecovery.class);
  private static final int MOST_MANIFESTS = 5;

  @Override
  public void run(CopyContext context, Path folder, RecoveryProgress recovery)
      throws IOException, LogException, InterruptedException {
    recovery.type(RecoveryProgress.Type.PEER);
    Manifest target = newest(context);
    String refused = "";
    for (int attempt = 0; attempt < MOST_MANIFESTS; attempt++) {
      if (copy(context, folder, target, recovery)
          instanceof SegmentFollower.Ended.Failed(var _, var _, String reason)) {
        refused = reason;
      } else {
        LOG.info(
            "{} is rebuilt from generation {} of term {}, {} bytes",
            context.copyId(),
            target.generation(),
            target.term(),
            target.totalBytes());
        return;
      }
      Manifest newer = newest(context);
      if (!newer.isNewerThan(target)) {
        break;
      }
      target = newer;
    }
    throw new IOException(
        "the log of "
            + context.shard()
            + " begins at "
            + context.operations().startOffset()
            + ", the folder reaches to "
            + ClosedSegments.checkpoint(folder).nextOffset()
            + ", and no other copy could be copied: "
            + refused);
  }

  /** The newest manifest, from which the log must still be replayable. */
  private static Manifest newest(CopyContext context) throws IOException, LogException {
    ManifestLog manifests = new ManifestLog(context.manifests());
    Manifest newest = manifests.before(manifests.partition().endOffset(), false).published();
    LogBeginning beginning = LogBeginning.of(context.operations());
    if (newest == null || beginning.isBehind(OpenedLog.position(newest))) {
      throw new IOException(
          "the log of "
              + context.shard()
              + " begins at "
              + beginning.offset()
              + ", no manifest reaches that");
    }
    return newest;
  }

  /** Besides the publisher, any SEGMENT replica has the files, but no DOCUMENT replica. */
  private static List<String> sources(CopyContext context, List<String> copies) {
    return context.index().replicationType().equals(IndexMetadata.DOCUMENT)
        ? List.of()
        : copies.stream().filter(copyId -> !copyId.equals(context.copyId())).toList();
  }

  private SegmentFollower.Ended copy(
      CopyContext context, Path folder, Manifest target, RecoveryProgress recovery)
      throws InterruptedException {
    ReplicaFolder opened = ReplicaFolder.open(context, transfers, folder);
    SegmentEngine engine = opened.engine();
    try {
      SegmentFollower follower =
          new SegmentFollower(
              opened,
              new CopySources.Known(() -> null, () -> null),
              RoundObserver.NONE,
              recovery,
              new PeerPlaces(context, copies -> sources(context, copies)));
      SegmentFollower.Ended ended = follower.run(target);
      engine.sync();
      return ended;
    } finally {
      engine.close();
    }
  }
}
