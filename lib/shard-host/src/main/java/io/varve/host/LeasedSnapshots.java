package io.varve.host;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.SnapshotId;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The snapshots of a copy with references to their files, leased to other nodes: {@link
 * SnapshotLeases} with a lock and a clock. A subclass defines the type of a snapshot and the
 * response to a request for a snapshot that is not held.
 *
 * <p>INVARIANT: each dropped snapshot is released exactly once; none is added after {@link #close}.
 *
 * @param <S> a snapshot and the reference to its files
 */
public abstract class LeasedSnapshots<S> implements SnapshotSource, AutoCloseable {

  /** Guards the leases and the state of the subclass. */
  protected final ReentrantLock lock = new ReentrantLock();

  private final SnapshotLeases<SnapshotId, S> leases;
  private final InstantSource clock;
  private final Sent sent = new Sent();
  private boolean closed;

  protected LeasedSnapshots(SnapshotLeases<SnapshotId, S> leases, InstantSource clock) {
    this.leases = leases;
    this.clock = clock;
  }

  protected abstract Manifest manifest(S snapshot);

  protected abstract Path path(S snapshot, SegmentFile file);

  protected abstract void letGo(S snapshot);

  /**
   * Takes ownership of the snapshot; it is released immediately if this is closed or an exception
   * is thrown. Returns false if this is closed.
   */
  protected final boolean take(S snapshot) {
    lock.lock();
    try {
      if (closed) {
        letGo(snapshot);
        return false;
      }
      letGo(published(snapshot));
      return true;
    } finally {
      lock.unlock();
    }
  }

  private List<S> published(S snapshot) {
    try {
      return leases.publish(SnapshotId.of(manifest(snapshot)), snapshot, clock.millis());
    } catch (RuntimeException | Error e) {
      letGo(snapshot);
      throw e;
    }
  }

  /** Takes or renews a lease; empty if the snapshot is not held. */
  protected final Optional<Lease> leased(SnapshotId id, String copyId) {
    lock.lock();
    try {
      return leases
          .lease(id, copyId, clock.millis())
          .map(snapshot -> new Lease.Held(manifest(snapshot)));
    } finally {
      lock.unlock();
    }
  }

  /** The caller must hold the lock for as long as the snapshot must not be released. */
  protected final Optional<S> newestHeld() {
    lock.lock();
    try {
      return leases.newest();
    } finally {
      lock.unlock();
    }
  }

  protected final boolean isClosed() {
    lock.lock();
    try {
      return closed;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final void release(SnapshotId id, String copyId) {
    lock.lock();
    try {
      letGo(leases.release(id, copyId, clock.millis()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final HeldFile file(SnapshotId id, String name) {
    lock.lock();
    try {
      S snapshot = leases.held(id).orElseThrow(() -> SnapshotSource.gone(id));
      SegmentFile file =
          manifest(snapshot).files().stream()
              .filter(candidate -> candidate.name().equals(name))
              .findFirst()
              .orElseThrow(() -> SnapshotSource.noFile(id, name));
      return new HeldFile(path(snapshot, file), file);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public final Sent sent() {
    return sent;
  }

  /** Ends expired leases. */
  public final void sweep() {
    lock.lock();
    try {
      letGo(leases.sweep(clock.millis()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      letGo(leases.clear());
    } finally {
      lock.unlock();
    }
  }

  private void letGo(List<S> dropped) {
    dropped.forEach(this::letGo);
  }
}
