package io.varve.engine;

import io.varve.events.Manifest;
import java.util.concurrent.atomic.AtomicBoolean;

/** Keeps the files of a manifest from being deleted until it is closed. */
public final class FileReference implements AutoCloseable {

  private final Manifest manifest;
  private final Runnable release;
  private final AtomicBoolean closed = new AtomicBoolean();

  FileReference(Manifest manifest, Runnable release) {
    this.manifest = manifest;
    this.release = release;
  }

  public Manifest manifest() {
    return manifest;
  }

  /** Idempotent. */
  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      release.run();
    }
  }
}
