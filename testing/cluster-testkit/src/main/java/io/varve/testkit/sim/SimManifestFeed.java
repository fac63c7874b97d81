package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The manifests of a segment replica. Like production's {@code ManifestFeed}, it first reads to the
 * end, so that a copy that opens does not begin with an older manifest than its folder holds, and
 * then follows new manifests.
 */
final class SimManifestFeed {

  private final World world;
  private final PartitionLog manifests;
  private final Consumer<Manifest> listener;
  private long nextOffset;

  SimManifestFeed(World world, SimNode node, ShardId shard, Consumer<Manifest> listener) {
    this.world = world;
    this.manifests = world.open(World.manifests(shard), node.process(), "r-" + node.process());
    this.listener = listener;
  }

  PartitionLog manifests() {
    return manifests;
  }

  /** The offset after the last record that was read. */
  long nextOffset() {
    return nextOffset;
  }

  /** The newest manifest before the present end; {@link #follow} continues there. */
  @Nullable Manifest readToTheEnd() throws LogException {
    nextOffset = manifests.endOffset();
    return new ManifestLog(manifests).before(nextOffset, false).published();
  }

  void follow() {
    manifests.subscribe(
        nextOffset,
        new PartitionLog.BatchListener() {
          @Override
          public void records(List<StoredRecord> batch) {
            for (StoredRecord stored : batch) {
              nextOffset = stored.offset() + 1;
              listener.accept(world.logs().manifest(stored));
            }
          }

          @Override
          public void lost(LogException.OutOfRange reason) {
            throw new IllegalStateException(reason);
          }
        });
  }
}
