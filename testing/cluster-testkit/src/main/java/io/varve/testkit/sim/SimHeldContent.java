package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.ShardId;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.store.RoundFailures.Held;
import org.jspecify.annotations.Nullable;

/**
 * The content from which a segment replica without a source can continue, as production's {@code
 * HeldContent} decides.
 */
final class SimHeldContent {

  private final World world;
  private final SegmentReplicaActor replica;

  SimHeldContent(World world, SegmentReplicaActor replica) {
    this.world = world;
    this.replica = replica;
  }

  /**
   * @param manifest whose files are all here
   */
  Held held(@Nullable Manifest manifest) {
    Manifest content = manifest == null ? committed() : manifest;
    if (content == null) {
      return Held.NOTHING;
    }
    try {
      if (LogBeginning.of(log()).isBehind(RestoredFolder.position(content))) {
        return Held.NOTHING;
      }
    } catch (LogException e) {
      return Held.NOTHING;
    }
    return manifest == null ? Held.COMMIT : Held.MANIFEST;
  }

  /** The last commit of a primary as a manifest; null if there is none. */
  @Nullable Manifest committed() {
    return replica.disk().committed(replica.shard(), replica.node().nodeId());
  }

  private PartitionLog log() {
    ShardId shard = replica.shard();
    return world.open(World.ops(shard), replica.node().process(), "h-" + replica.node().process());
  }
}
