package io.varve.testkit.sim;

import io.varve.events.Manifest;
import io.varve.events.SegmentFile;
import io.varve.events.ShardId;
import io.varve.log.LogBeginning;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The source of a rebuilt copy whose own folder ends before the start of the log. */
record RestoredFolder(
    AppliedPosition checkpoint, List<Segment> segments, Map<String, String> data) {

  /**
   * Takes the files from the segment store, or else from another copy that reaches to the start of
   * the log.
   */
  static Optional<RestoredFolder> of(LoggedCopy copy, LogBeginning beginning) {
    return fromStore(copy, copy.world.store().newest(copy.shard))
        .or(() -> fromPeer(copy, beginning));
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

  /** Takes the files of a primary or of a segment replica. */
  static Optional<RestoredFolder> fromPeer(LoggedCopy copy, LogBeginning beginning) {
    World world = copy.world;
    SimNode node = copy.node;
    for (SimNode other : world.nodes()) {
      if (other == node
          || !other.process().isUp()
          || !world.network().connected(node.nodeId(), other.nodeId())) {
        continue;
      }
      for (SimCopy peer : other.openCopies()) {
        SimDisk.Commit held = peer.disk().commit;
        if (peer.shard().equals(copy.shard)
            && !(peer instanceof DocumentReplicaActor)
            && held != null
            && held.checkpoint().fenceTerm() >= beginning.revivedTerm()
            && held.checkpoint().nextOffset() >= beginning.offset()) {
          return Optional.of(
              new RestoredFolder(
                  held.checkpoint(),
                  held.files().stream()
                      .map(name -> Objects.requireNonNull(peer.disk().files.get(name)))
                      .toList(),
                  held.data()));
        }
      }
    }
    return Optional.empty();
  }
}
