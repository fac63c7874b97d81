package io.varve.testkit.sim;

import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.RawRecord;
import io.varve.events.SegmentFile;
import io.varve.host.SnapshotLeases;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.shard.retention.LogNeeds;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The publishing of a primary: uploads the files of each refresh, appends its manifest, and keeps
 * files for holders of leases of production's {@link SnapshotLeases}.
 */
final class SimPublisher {

  private static final long LEASE_MILLIS = 400;

  /** A manifest whose files the folder must keep. */
  private record Held(Manifest manifest) {}

  private final World world;
  private final PrimaryActor primary;
  private final PartitionLog manifests;
  private final Runnable onPublished;
  private final SnapshotLeases<Long, Held> leases = new SnapshotLeases<>(LEASE_MILLIS);
  private long generation;
  private @Nullable Manifest last;
  private boolean lastIsLost;
  private long publishedSeqNo = -1;
  private long publishedOffset = LogNeeds.UNKNOWN;

  SimPublisher(PrimaryActor primary, PartitionLog manifests, Runnable onPublished) {
    this.world = primary.world;
    this.primary = primary;
    this.manifests = manifests;
    this.onPublished = onPublished;
  }

  /** The highest seq_no that other copies can show. */
  long publishedSeqNo() {
    return publishedSeqNo;
  }

  long publishedOffset() {
    return publishedOffset;
  }

  void refreshed(Checkpoint captured, List<SegmentFile> files) {
    boolean news = last == null || lastIsLost || captured.lastSeqNo() > last.visibleSeqNo();
    if (!news || captured.fenceTerm() > primary.term()) {
      return;
    }
    Manifest manifest =
        new Manifest(
            primary.shard,
            primary.node.nodeId(),
            primary.term(),
            ++generation,
            captured.nextOffset(),
            captured.nextSeqNo(),
            captured.fenceTerm(),
            captured.lastSeqNo(),
            files,
            "",
            Map.of(),
            world.queue().nowMillis());
    last = manifest;
    lastIsLost = false;
    leases.publish(manifest.generation(), new Held(manifest), world.queue().nowMillis());
    sweep();
    if (world.indices().hasStore(primary.shard)
        && !world.mutated(Mutation.PUBLISH_BEFORE_THE_UPLOAD)) {
      upload(manifest, 0);
    } else {
      publish(manifest);
      if (world.indices().hasStore(primary.shard)) {
        upload(manifest, 0);
      }
    }
  }

  /**
   * Uploads files before their manifest is appended; after a failed upload the manifest stays
   * unpublished.
   */
  private void upload(Manifest manifest, int index) {
    if (index == manifest.files().size()) {
      if (!world.mutated(Mutation.PUBLISH_BEFORE_THE_UPLOAD)) {
        publish(manifest);
      }
      return;
    }
    SegmentFile file = manifest.files().get(index);
    Segment segment = primary.disk.files.get(file.name());
    if (segment == null || world.faults().storeFails()) {
      lastIsLost = true;
      return;
    }
    primary.after(
        world.network().latencyMicros(),
        () -> {
          world.store().put(primary.shard, segment);
          upload(manifest, index + 1);
        });
  }

  private void publish(Manifest manifest) {
    world.observe(new Observation.Published(manifest, primary.disk));
    try {
      manifests.append(
          RawRecord.keyed(manifest.recordKey(), Json.write(manifest)),
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {
              publishedSeqNo = Math.max(publishedSeqNo, manifest.visibleSeqNo());
              publishedOffset = Math.max(publishedOffset, manifest.nextOffset());
              onPublished.run();
            }

            @Override
            public void unknown(String reason) {
              lost();
            }
          });
    } catch (LogException.Full e) {
      lost();
    }
  }

  private void lost() {
    lastIsLost = !world.mutated(Mutation.FORGET_A_LOST_MANIFEST);
  }

  private void sweep() {
    leases.sweep(world.queue().nowMillis());
    Set<String> kept = new HashSet<>();
    for (long g = 1; g <= generation; g++) {
      leases
          .held(g)
          .ifPresent(held -> held.manifest().files().forEach(file -> kept.add(file.name())));
    }
    primary.engine.deleteUnreferenced(kept);
  }

  Optional<Manifest> lease(long wantedGeneration, String holder) {
    return leases.lease(wantedGeneration, holder, world.queue().nowMillis()).map(Held::manifest);
  }

  void release(long leasedGeneration, String holder) {
    leases.release(leasedGeneration, holder, world.queue().nowMillis());
  }

  Optional<Segment> file(long wantedGeneration, String name) {
    return leases.held(wantedGeneration).map(held -> primary.disk.files.get(name));
  }
}
