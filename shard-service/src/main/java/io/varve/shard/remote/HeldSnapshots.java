package io.varve.shard.remote;

import io.varve.engine.Snapshot;
import io.varve.events.Manifest;
import org.jspecify.annotations.Nullable;

/** The snapshots that a primary has published. */
@FunctionalInterface
public interface HeldSnapshots {

  /** A manifest and its files, which are kept until this is closed. */
  record Held(Manifest manifest, Snapshot snapshot) implements AutoCloseable {
    @Override
    public void close() {
      snapshot.close();
    }
  }

  /**
   * The newest snapshot, held for the caller; {@code null} if there is none or the copy is closed.
   */
  @Nullable Held holdNewest();
}
