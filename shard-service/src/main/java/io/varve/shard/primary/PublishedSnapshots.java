package io.varve.shard.primary;

import io.varve.engine.Snapshot;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import io.varve.host.LeasedSnapshots;
import io.varve.host.SnapshotLeases;
import io.varve.host.SnapshotSource;
import io.varve.shard.remote.HeldSnapshots;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The snapshots of a primary that replicas may copy. */
final class PublishedSnapshots extends LeasedSnapshots<PublishedSnapshots.Published>
    implements HeldSnapshots {

  record Published(Manifest manifest, Snapshot snapshot) {}

  private final MergesAhead merges;

  PublishedSnapshots(long leaseMillis, InstantSource clock, MergesAhead merges) {
    super(new SnapshotLeases<>(leaseMillis), clock);
    this.merges = merges;
  }

  @Override
  protected Manifest manifest(Published published) {
    return published.manifest();
  }

  @Override
  protected Path path(Published published, SegmentFile file) {
    return published.snapshot().path(file);
  }

  @Override
  protected void letGo(Published published) {
    published.snapshot().close();
  }

  /** Publishes a snapshot; the caller's hold of it is passed to this object. */
  void publish(Manifest manifest, Snapshot snapshot) {
    if (!take(new Published(manifest, snapshot))) {
      throw SnapshotSource.gone(SnapshotId.of(manifest));
    }
  }

  /** Does not wait: requests name a snapshot only after it was published. */
  @Override
  public Lease lease(SnapshotId id, String copyId, long waitMillis) {
    return leased(id, copyId).orElseThrow(() -> SnapshotSource.gone(id));
  }

  @Override
  public HeldFile merged(SnapshotId merge, String name) {
    return merges.file(merge, name);
  }

  Optional<Manifest> newest() {
    return newestHeld().map(Published::manifest);
  }

  @Override
  public @Nullable Held holdNewest() {
    lock.lock();
    try {
      return newestHeld()
          .map(newest -> new Held(newest.manifest(), newest.snapshot().acquire()))
          .orElse(null);
    } finally {
      lock.unlock();
    }
  }
}
