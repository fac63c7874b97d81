package io.varve.testkit.sim;

import io.varve.events.Manifest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The uploads of a primary: one manifest at a time, always the newest published one. It counts as
 * stored once all its files are uploaded. A failed upload is retried, with the newest manifest.
 */
final class SimUploads {

  private static final long RETRY_MICROS = 50_000;

  private record Upload(Manifest manifest, List<Segment> segments) {}

  private final World world;
  private final PrimaryActor primary;
  private @Nullable Upload next;
  private boolean running;

  SimUploads(PrimaryActor primary) {
    this.world = primary.world;
    this.primary = primary;
  }

  /** The log has the manifest; its files are held as long as they are needed here. */
  void published(Manifest manifest, List<Segment> segments) {
    if (world.indices().hasStore(primary.shard)) {
      next = new Upload(manifest, segments);
      begin();
    }
  }

  private void begin() {
    Upload upload = next;
    if (running || upload == null) {
      return;
    }
    next = null;
    running = true;
    if (world.mutated(Mutation.STORED_BEFORE_THE_UPLOAD)) {
      stored(upload.manifest());
    }
    put(upload, 0);
  }

  private void put(Upload upload, int index) {
    if (index == upload.segments().size()) {
      stored(upload.manifest());
      running = false;
      begin();
      return;
    }
    primary.after(
        world.network().latencyMicros(),
        () -> {
          if (world.faults().storeFails()) {
            failed(upload);
          } else {
            world.store().put(primary.shard, upload.segments().get(index));
            put(upload, index + 1);
          }
        });
  }

  private void failed(Upload upload) {
    if (next == null) {
      next = upload;
    }
    running = false;
    primary.after(RETRY_MICROS, this::begin);
  }

  private void stored(Manifest manifest) {
    world.observe(new Observation.Stored(manifest));
    world.store().stored(manifest);
  }
}
