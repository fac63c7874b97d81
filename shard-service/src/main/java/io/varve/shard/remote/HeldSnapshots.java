package io.varve.shard.remote;

import io.varve.engine.Snapshot;
import io.varve.events.Manifest;
import org.jspecify.annotations.Nullable;

/** The points in time that a primary has published. */
@FunctionalInterface
public interface HeldSnapshots {

  /** A manifest and its files, which stay until this is closed. */
  record Held(Manifest manifest, Snapshot snapshot) implements AutoCloseable {
    @Override
    public void close() {
      snapshot.close();
    }
  }

  /** The newest, held for the caller; {@code null} when there is none, or no more. */
  @Nullable Held holdNewest();
}
