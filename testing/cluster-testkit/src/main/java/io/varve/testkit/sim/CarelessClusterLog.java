package io.varve.testkit.sim;

import io.varve.cluster.ClusterEvent;
import io.varve.cluster.ClusterSnapshot;
import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.ShardRouting;
import io.varve.events.Json;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.log.DelegatingLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A leader's cluster log that replaces events of the leader by ones that break a rule. Used only in
 * mutated histories.
 *
 * <pre>
 *   PROMOTE_A_SEARCH_COPY                       promotes an active search copy instead of a replica
 *   DROP_A_PRIMARY_BEFORE_ITS_SUCCESSOR_STARTS  ends a relocation at the start of its handover
 *   SNAPSHOT_WITHOUT_MEMBERS                    leaves the members out of snapshots
 * </pre>
 */
final class CarelessClusterLog extends DelegatingLog {

  private static final Set<Mutation> MUTATIONS =
      Set.of(
          Mutation.PROMOTE_A_SEARCH_COPY,
          Mutation.DROP_A_PRIMARY_BEFORE_ITS_SUCCESSOR_STARTS,
          Mutation.SNAPSHOT_WITHOUT_MEMBERS);

  private final World world;
  private final Supplier<ClusterState> state;

  private CarelessClusterLog(PartitionLog log, World world, Supplier<ClusterState> state) {
    super(log);
    this.world = world;
    this.state = state;
  }

  /** The log itself unless the world has one of these mutations. */
  static PartitionLog of(PartitionLog log, World world, Supplier<ClusterState> state) {
    return MUTATIONS.stream().anyMatch(world::mutated)
        ? new CarelessClusterLog(log, world, state)
        : log;
  }

  @Override
  public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
    RecordHeader header = RecordHeader.read(record.header());
    if (header.kind() != RecordHeader.Kind.DATA) {
      super.append(record, callback);
      return;
    }
    ClusterEvent event =
        Json.read(Objects.requireNonNull(record.value(), "an event"), ClusterEvent.class);
    super.append(
        RecordHeader.data(
            header.term(),
            header.seqNo(),
            Objects.requireNonNull(record.key(), "an entity"),
            Json.write(broken(event))),
        callback);
  }

  private ClusterEvent broken(ClusterEvent event) {
    return switch (event) {
      case ClusterEvent.Together(var events) -> {
        List<ClusterEvent> changed = new ArrayList<>();
        events.forEach(one -> changed.add(broken(one)));
        yield ClusterEvent.together(changed);
      }
      case ClusterEvent.HandOverStarted e
          when world.mutated(Mutation.DROP_A_PRIMARY_BEFORE_ITS_SUCCESSOR_STARTS) ->
          new ClusterEvent.RelocationFinished(e.shard(), e.targetCopyId());
      case ClusterEvent.ReplicaPromoted e when world.mutated(Mutation.PROMOTE_A_SEARCH_COPY) ->
          promotedForSearch(e);
      case ClusterEvent.SnapshotPart e when world.mutated(Mutation.SNAPSHOT_WITHOUT_MEMBERS) ->
          withoutMembers(e);
      default -> event;
    };
  }

  private ClusterEvent promotedForSearch(ClusterEvent.ReplicaPromoted event) {
    ClusterState known = state.get();
    ShardRouting shard = known.shard(event.shard()).orElseThrow();
    List<CopyRouting> found = shard.searchReplicas().stream().filter(known::active).toList();
    if (found.isEmpty()) {
      return event;
    }
    CopyRouting chosen = found.getFirst();
    return ClusterEvent.together(
        List.of(
            new ClusterEvent.CopiesChanged(
                event.shard(),
                shard.copies().stream().map(c -> c.equals(chosen) ? asReplica(c) : c).toList()),
            new ClusterEvent.ReplicaPromoted(
                event.shard(), chosen.copyId(), event.term(), event.reason())));
  }

  private static CopyRouting asReplica(CopyRouting copy) {
    return new CopyRouting(copy.copyId(), false, copy.state(), copy.nodeId(), copy.reason());
  }

  /** The states of histories are small: each snapshot has one part. */
  private static ClusterEvent withoutMembers(ClusterEvent.SnapshotPart part) {
    ClusterSnapshot snapshot =
        Json.read(part.text().getBytes(StandardCharsets.UTF_8), ClusterSnapshot.class);
    return ClusterSnapshot.of(snapshot.state().withNodes(Map.of()), snapshot.deletedIndices())
        .parts()
        .getFirst();
  }
}
