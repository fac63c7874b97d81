package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.events.Operation;
import io.varve.events.ShardId;
import io.varve.shard.retention.Pins;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The commits that a primary has pinned in its folder for its followers, as production's {@link
 * Pins} decides: carried out as production's {@code PinnedCommits} does.
 */
final class SimPins {

  /** A commit, and its files, which the folder may delete. */
  record Pinned(AppliedPosition checkpoint, List<Segment> segments) {

    /** The newest operation of each document. */
    Map<String, Operation> documents() {
      return Segment.fold(segments);
    }
  }

  private final Map<Pins.Pin, Pinned> pinned =
      new TreeMap<>(Comparator.comparingLong(Pins.Pin::nextOffset));

  Pins pins() {
    return new Pins(List.copyOf(pinned.keySet()));
  }

  Pinned get(Pins.Pin pin) {
    return Objects.requireNonNull(pinned.get(pin), pin.toString());
  }

  /**
   * The folder has a new commit.
   *
   * @param maxSeqNo upper bound of the seq_nos in the commit
   */
  void committed(SimDisk disk, long maxSeqNo, List<Long> leases) {
    SimDisk.Commit commit = disk.commit;
    if (commit == null || leases.isEmpty()) {
      pinned.clear();
      return;
    }
    long nextOffset = commit.checkpoint().nextOffset();
    if (!pins().has(nextOffset)) {
      List<Segment> segments =
          commit.files().stream()
              .map(name -> Objects.requireNonNull(disk.files.get(name)))
              .toList();
      pinned.put(new Pins.Pin(nextOffset, maxSeqNo), new Pinned(commit.checkpoint(), segments));
    }
    pinned.keySet().retainAll(pins().kept(leases).pins());
  }

  /** The offsets from which leases retain the shard's log, in the state that a node knows. */
  static List<Long> leases(ClusterState state, ShardId shard) {
    return state
        .index(shard.indexUuid())
        .map(index -> Pins.leases(index, shard.number()))
        .orElse(List.of());
  }

  /** The newest pin of that shard on the node without an operation after a position. */
  static Optional<Pinned> newest(SimNode node, ShardId shard, long mostOffset, long mostSeqNo) {
    return node.folder(shard)
        .map(disk -> disk.pinned)
        .flatMap(own -> own.pins().newest(mostOffset, mostSeqNo).map(own::get));
  }
}
