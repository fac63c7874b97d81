package io.varve.replication.replica;

import io.varve.engine.FileReference;
import io.varve.engine.SegmentEngine;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import io.varve.host.LeasedSnapshots;
import io.varve.host.NodeContext;
import io.varve.host.SnapshotLeases;
import io.varve.host.SnapshotSource;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/**
 * The snapshots that a segment replica shows, for peers to copy from. A request for a newer
 * snapshot waits until that snapshot is shown here; a slightly late request can still read the
 * previous snapshot.
 */
final class ShownSnapshots extends LeasedSnapshots<FileReference> {

  private static final long GRACE_MILLIS = 1000;

  private final NodeContext node;
  private final Path directory;
  private final LongSupplier missingBytes;
  private final BiFunction<SnapshotId, String, HeldFile> merges;
  private final Condition changed = lock.newCondition();

  /**
   * @param missingBytes the bytes that the copy lacks of the newest manifest
   * @param merges finds files that arrived ahead of their manifest
   */
  ShownSnapshots(
      NodeContext node,
      Path directory,
      LongSupplier missingBytes,
      BiFunction<SnapshotId, String, HeldFile> merges) {
    super(new SnapshotLeases<>(node.settings().snapshotLeaseMillis(), GRACE_MILLIS), node.clock());
    this.node = node;
    this.directory = directory;
    this.missingBytes = missingBytes;
    this.merges = merges;
  }

  @Override
  protected Manifest manifest(FileReference hold) {
    return hold.manifest();
  }

  @Override
  protected Path path(FileReference hold, SegmentFile file) {
    return directory.resolve(file.name());
  }

  @Override
  protected void letGo(FileReference hold) {
    hold.close();
  }

  /**
   * Offers the engine's current snapshot; called before it shows another manifest. Idempotent,
   * because a round whose last step failed is repeated.
   */
  void shown(SegmentEngine engine) {
    FileReference hold = engine.holdShown();
    if (isNewest(SnapshotId.of(hold.manifest()))) {
      hold.close();
    } else if (take(hold)) {
      signalWaiting();
      var _ = node.timer().schedule(this::sweep, GRACE_MILLIS + 10, TimeUnit.MILLISECONDS);
    }
  }

  private boolean isNewest(SnapshotId id) {
    return newestHeld().filter(newest -> SnapshotId.of(newest.manifest()).equals(id)).isPresent();
  }

  @Override
  public Lease lease(SnapshotId id, String copyId, long waitMillis) throws InterruptedException {
    long left = TimeUnit.MILLISECONDS.toNanos(waitMillis);
    lock.lock();
    try {
      while (true) {
        Optional<Lease> held = leased(id, copyId);
        if (held.isPresent()) {
          return held.get();
        }
        if (isClosed() || isPassed(id)) {
          throw SnapshotSource.gone(id);
        }
        if (left <= 0) {
          return new Lease.OnItsWay(missingBytes.getAsLong());
        }
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isPassed(SnapshotId id) {
    return newestHeld()
        .filter(newest -> SnapshotId.of(newest.manifest()).compareTo(id) > 0)
        .isPresent();
  }

  @Override
  public HeldFile merged(SnapshotId merge, String name) {
    return merges.apply(merge, name);
  }

  private void signalWaiting() {
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Called before the engine is closed. */
  @Override
  public void close() {
    super.close();
    signalWaiting();
  }
}
