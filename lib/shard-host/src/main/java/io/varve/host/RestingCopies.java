package io.varve.host;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.engine.Checkpoint;
import io.varve.engine.ClosedSegments;
import io.varve.events.ShardId;
import io.varve.rpc.CopyRecovery;
import io.varve.rpc.CopySegments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Copies of closed indices: none of their files are open, and the files stay in their folders. */
public final class RestingCopies {

  private final NodeContext node;

  public RestingCopies(NodeContext node) {
    this.node = node;
  }

  /**
   * The response of an endpoint for the copy of a closed index; empty if there is none on this
   * node.
   */
  public Optional<Object> answer(ShardId shard, String endpoint) {
    return resting(shard)
        .flatMap(copy ->
            switch (endpoint) {
              case "segments" -> Optional.of(segments(shard));
              case "recovery" -> Optional.of(recovery(shard, copy));
              default -> Optional.empty();
            });
  }

  private Optional<CopyRouting> resting(ShardId shard) {
    ClusterState state = node.cluster().current();
    return state
        .index(shard.indexUuid())
        .filter(IndexMetadata::closed)
        .flatMap(index -> state.shard(shard))
        .flatMap(routing ->
            routing.copies().stream()
                .filter(copy -> copy.isOn(node.identity().nodeId()))
                .findFirst());
  }

  /**
   * The checkpoint with which a copy in the shard's folder on this node would open, whether or not
   * the cluster state places one here.
   */
  public Checkpoint checkpoint(ShardId shard) {
    return ClosedSegments.checkpoint(folder(shard));
  }

  private Path folder(ShardId shard) {
    return Folders.of(node.settings().data(), shard).resolve("index");
  }

  private CopySegments segments(ShardId shard) {
    return ClosedSegments.read(folder(shard));
  }

  /** The copy has all operations that it had when it was closed. */
  private CopyRecovery recovery(ShardId shard, CopyRouting copy) {
    long closedMillis = changedMillis(folder(shard));
    return new CopyRecovery(
        shard,
        copy.copyId(),
        copy.primary(),
        RecoveryProgress.Type.EXISTING_STORE.name(),
        RecoveryProgress.Stage.DONE.name(),
        new CopyRecovery.Times(closedMillis, closedMillis, 0, 0, 0),
        null,
        RecoveryFiles.committed(segments(shard)),
        0);
  }

  private long changedMillis(Path folder) {
    try {
      return Files.isDirectory(folder)
          ? Files.getLastModifiedTime(folder).toMillis()
          : node.clock().millis();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
