package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.host.log.ManifestLog;
import io.varve.log.LogBeginning;
import io.varve.log.LogException;
import io.varve.log.LogPosition;
import io.varve.log.PartitionLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The source of a rebuilt copy whose own folder ends before the start of the log. */
record RestoredFolder(
    AppliedPosition checkpoint, List<Segment> segments, Map<String, String> data) {

  /**
   * Takes the files from the segment store, or else from another copy that has the newest manifest.
   */
  static Optional<RestoredFolder> of(
      LoggedCopy copy, PartitionLog manifests, LogBeginning beginning) throws LogException {
    Optional<RestoredFolder> stored = fromStore(copy, copy.world.store().newest(copy.shard));
    return stored.isPresent() ? stored : fromPeer(copy, manifests, beginning);
  }

  /** Takes the files of a stored manifest; empty if the store is down or has lost one of them. */
  static Optional<RestoredFolder> fromStore(LoggedCopy copy, @Nullable Manifest newest) {
    World world = copy.world;
    ShardId shard = copy.shard;
    if (newest == null || world.faults().storeFails()) {
      return Optional.empty();
    }
    List<Segment> segments = new ArrayList<>();
    for (SegmentFile file : newest.files()) {
      Segment segment = world.store().segment(shard, file.name());
      if (segment == null || !segment.identity().sameContent(file)) {
        return Optional.empty();
      }
      segments.add(segment);
    }
    return Optional.of(
        new RestoredFolder(
            new AppliedPosition(newest.nextOffset(), newest.nextSeqNo(), newest.fenceTerm()),
            segments,
            newest.commitData()));
  }

  /**
   * Takes the files of the newest published manifest, as production's {@code SegmentPeerRecovery}
   * does: from its publisher or from a replica that shows it. Other copies also have its content,
   * but can't provide its files.
   */
  static Optional<RestoredFolder> fromPeer(
      LoggedCopy copy, PartitionLog manifests, LogBeginning beginning) throws LogException {
    Manifest newest = new ManifestLog(manifests).before(manifests.endOffset(), false).published();
    if (newest == null || beginning.isBehind(position(newest))) {
      return Optional.empty();
    }
    return sources(copy)
        .map(source -> files(source, copy.shard, newest))
        .filter(files -> files.size() == newest.files().size())
        .findFirst()
        .map(files ->
            new RestoredFolder(
                new AppliedPosition(newest.nextOffset(), newest.nextSeqNo(), newest.fenceTerm()),
                files,
                newest.commitData()));
  }

  static LogPosition position(Manifest manifest) {
    return new LogPosition(manifest.nextOffset(), manifest.nextSeqNo(), manifest.fenceTerm());
  }

  private static Stream<SimNode> sources(LoggedCopy copy) {
    World world = copy.world;
    return StreamSupport.stream(world.nodes().spliterator(), false)
        .filter(other -> other != copy.node && other.process().isUp())
        .filter(other -> world.network().connected(copy.node.nodeId(), other.nodeId()));
  }

  private static List<Segment> files(SimNode source, ShardId shard, Manifest manifest) {
    if (source.nodeId().equals(manifest.nodeId())) {
      return source
          .primary(shard)
          .filter(primary -> primary.term() == manifest.term())
          .map(_ -> SegmentTransfer.published(source, shard, manifest))
          .orElse(List.of());
    }
    return source.openCopies().stream()
        .filter(SegmentReplicaActor.class::isInstance)
        .map(SegmentReplicaActor.class::cast)
        .filter(replica -> replica.shard().equals(shard) && replica.shows(manifest))
        .findFirst()
        .map(replica -> replica.disk().segments(manifest.files()))
        .orElse(List.of());
  }
}
