package io.varve.host;

import io.varve.cluster.IndexMetadata;
import io.varve.events.ShardId;
import java.nio.file.Path;

/** Creates the copies of one place, and passes their events to its listener. */
final class CopyMaker {

  private final NodeContext node;
  private final ShardId shard;
  private final Path folder;
  private final CopyFactory factory;
  private final CopyContext.Listener listener;

  CopyMaker(
      NodeContext node,
      ShardId shard,
      Path folder,
      CopyFactory factory,
      CopyContext.Listener listener) {
    this.node = node;
    this.shard = shard;
    this.folder = folder;
    this.factory = factory;
    this.listener = listener;
  }

  /** A copy that is not started yet. */
  ShardCopy make(Goal.Copy assignment) {
    return factory.create(
        new CopyContext(node, shard, assignment.copyId(), folder, listener),
        assignment.primary(),
        assignment.term());
  }

  /** Whether the copy writes its segments itself. */
  boolean writes(Goal.Copy assignment) {
    return assignment.primary()
        || node.cluster()
            .current()
            .index(shard.indexUuid())
            .filter(index -> index.replicationType().equals(IndexMetadata.DOCUMENT))
            .isPresent();
  }
}
