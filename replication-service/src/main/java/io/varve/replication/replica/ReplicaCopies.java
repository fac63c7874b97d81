package io.varve.replication.replica;

import io.varve.cluster.IndexMetadata;
import io.varve.host.CopyContext;
import io.varve.host.ShardCopy;

/** Creates the kind of replica that the index settings specify. */
public final class ReplicaCopies {

  private ReplicaCopies() {}

  public static ShardCopy create(CopyContext context, SegmentTransfers transfers) {
    return context.index().replicationType().equals(IndexMetadata.DOCUMENT)
        ? new DocumentReplicaCopy(context, new SegmentPeerRecovery(transfers))
        : new SegmentReplicaCopy(context, transfers);
  }
}
