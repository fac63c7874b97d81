package io.varve.node.primary;

import io.varve.engine.Snapshot;
import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.node.SnapshotSource;
import io.varve.rpc.ApiException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** The snapshots of a primary that replicas may copy: {@link SnapshotLeases} with a clock. */
final class PublishedSnapshots implements SnapshotSource, AutoCloseable {

  private record Published(Manifest manifest, Snapshot snapshot) {}

  private final ReentrantLock lock = new ReentrantLock();
  private final SnapshotLeases<Published> leases;
  private final InstantSource clock;
  private boolean closed;

  PublishedSnapshots(long leaseMillis, InstantSource clock) {
    this.leases = new SnapshotLeases<>(leaseMillis);
    this.clock = clock;
  }

  /** Takes over the caller's hold of the snapshot. */
  void publish(Manifest manifest, Snapshot snapshot) {
    lock.lock();
    try {
      if (closed) {
        snapshot.close();
        throw gone(manifest.generation());
      }
      close(
          leases.publish(manifest.generation(), new Published(manifest, snapshot), clock.millis()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Manifest lease(long generation, String copyId) {
    lock.lock();
    try {
      return leases
          .lease(generation, copyId, clock.millis())
          .map(Published::manifest)
          .orElseThrow(() -> gone(generation));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void release(long generation, String copyId) {
    lock.lock();
    try {
      close(leases.release(generation, copyId, clock.millis()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public HeldFile file(long generation, String name) {
    lock.lock();
    try {
      Published published = leases.held(generation).orElseThrow(() -> gone(generation));
      SegmentFile file =
          published.snapshot().files().stream()
              .filter(candidate -> candidate.name().equals(name))
              .findFirst()
              .orElseThrow(() ->
                  new ApiException(
                      404,
                      "resource_not_found_exception",
                      "generation " + generation + " has no file [" + name + "]"));
      return new HeldFile(published.snapshot().path(file), file);
    } finally {
      lock.unlock();
    }
  }

  Optional<Manifest> newest() {
    lock.lock();
    try {
      return leases.newest().map(Published::manifest);
    } finally {
      lock.unlock();
    }
  }

  /** Ends leases whose time is over. */
  void sweep() {
    lock.lock();
    try {
      close(leases.sweep(clock.millis()));
    } finally {
      lock.unlock();
    }
  }

  private static void close(List<Published> dropped) {
    dropped.forEach(published -> published.snapshot().close());
  }

  private static ApiException gone(long generation) {
    return new ApiException(
        410, "snapshot_gone_exception", "generation " + generation + " is not held any more");
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      close(leases.clear());
    } finally {
      lock.unlock();
    }
  }
}
