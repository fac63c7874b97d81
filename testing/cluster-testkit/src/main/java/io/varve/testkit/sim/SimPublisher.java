package io.varve.testkit.sim;

import io.varve.events.Json;
import io.varve.events.Manifest;
import io.varve.events.RawRecord;
import io.varve.events.SegmentFile;
import io.varve.host.SnapshotLeases;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.shard.primary.PublishCycle;
import io.varve.shard.primary.Refreshed;
import io.varve.shard.retention.LogNeeds;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The publishing of a primary: carries out production's {@link PublishCycle}, and keeps files for
 * holders of leases of production's {@link SnapshotLeases}.
 */
final class SimPublisher {

  private static final long LEASE_MILLIS = 400;

  /** A manifest whose files the folder must keep. */
  private record Held(Manifest manifest, List<Segment> segments) {}

  private final World world;
  private final PrimaryActor primary;
  private final PartitionLog manifests;
  private final Runnable onPublished;
  private final PublishCycle cycle;
  private final SimUploads uploads;
  private final SnapshotLeases<Long, Held> leases = new SnapshotLeases<>(LEASE_MILLIS);
  private long generation;
  private @Nullable Manifest last;
  private long publishedSeqNo = -1;
  private long publishedOffset = LogNeeds.UNKNOWN;

  SimPublisher(PrimaryActor primary, PartitionLog manifests, Runnable onPublished) {
    this.world = primary.world;
    this.primary = primary;
    this.manifests = manifests;
    this.onPublished = onPublished;
    this.cycle = new PublishCycle(primary.term());
    this.uploads = new SimUploads(primary);
  }

  /** The highest seq_no that other copies can show. */
  long publishedSeqNo() {
    return publishedSeqNo;
  }

  long publishedOffset() {
    return publishedOffset;
  }

  /** Whether a refresh begins, with everything up to {@code appliedSeqNo} applied. */
  boolean begins(long appliedSeqNo) {
    return cycle.begin(appliedSeqNo) instanceof PublishCycle.Step.Refresh;
  }

  /** The refresh is done; {@code ended} is run when its manifest is published or failed. */
  void refreshed(AppliedPosition captured, List<SegmentFile> files, Runnable ended) {
    if (captured.fenceTerm() > primary.term()) {
      cycle.failed();
      ended.run();
      return;
    }
    carryOut(cycle.refreshed(snapshot(captured, files), captured.lastSeqNo()), ended);
  }

  private void carryOut(PublishCycle.Step step, Runnable ended) {
    switch (step) {
      case PublishCycle.Step.Append(Manifest manifest) -> append(manifest, ended);
      case PublishCycle.Step.Publish(Manifest manifest, Refreshed _) -> {
        published(manifest);
        cycle.shown();
        ended.run();
      }
      case PublishCycle.Step.Show _ -> {
        cycle.shown();
        ended.run();
      }
      case PublishCycle.Step.Done _, PublishCycle.Step.Refresh _ ->
          throw new IllegalStateException("a refresh is done, not " + step);
    }
  }

  /** The manifest of a new snapshot, which is held from now on; null if nothing has changed. */
  private @Nullable Manifest snapshot(AppliedPosition captured, List<SegmentFile> files) {
    Manifest before = last;
    if (before != null
        && before.visibleSeqNo() == captured.lastSeqNo()
        && before.files().equals(files)) {
      return null;
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
            commitData(captured),
            world.queue().nowMillis());
    last = manifest;
    leases.publish(
        generation, new Held(manifest, primary.disk.segments(files)), world.queue().nowMillis());
    sweep();
    return manifest;
  }

  private Map<String, String> commitData(AppliedPosition captured) {
    Map<String, String> data = primary.commitData(captured);
    data.put(Manifest.MAX_SEQ_NO, Long.toString(primary.engine.maxSeqNo()));
    return data;
  }

  private void append(Manifest manifest, Runnable ended) {
    world.observe(new Observation.Published(manifest, primary.disk));
    try {
      manifests.append(
          RawRecord.keyed(manifest.recordKey(), Json.write(manifest)),
          new PartitionLog.AppendCallback() {
            @Override
            public void appended(long offset, long timestampMillis) {
              if (!primary.closed) {
                carryOut(cycle.appended(), ended);
              }
            }

            @Override
            public void unknown(String reason) {
              if (!primary.closed) {
                lost(ended);
              }
            }
          });
    } catch (LogException.Full e) {
      lost(ended);
    }
  }

  private void published(Manifest manifest) {
    publishedSeqNo = Math.max(publishedSeqNo, manifest.visibleSeqNo());
    publishedOffset = Math.max(publishedOffset, manifest.nextOffset());
    leases
        .held(manifest.generation())
        .ifPresent(held -> uploads.published(manifest, held.segments()));
    onPublished.run();
  }

  private void lost(Runnable ended) {
    if (world.mutated(Mutation.FORGET_A_LOST_MANIFEST)) {
      var _ = cycle.appended();
      cycle.shown();
    } else {
      cycle.failed();
    }
    ended.run();
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
