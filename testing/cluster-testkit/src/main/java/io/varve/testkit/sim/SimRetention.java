package io.varve.testkit.sim;

import io.varve.cluster.ClusterState;
import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.LogRetention;
import io.varve.cluster.ShardRouting;
import io.varve.events.Manifest;
import io.varve.events.ShardId;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import io.varve.log.RetentionPlanner;
import io.varve.shard.retention.LogNeeds;
import io.varve.shard.retention.Pins;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The truncation of a primary's log: production's {@link LogNeeds}, {@link Pins} and {@link
 * RetentionPlanner}, used in the order of production's {@code LogTruncation}. Other copies are
 * asked over the network.
 */
final class SimRetention {

  private static final RetentionPlanner PLANNER = new RetentionPlanner(0, 1);

  private final World world;
  private final SimNode node;
  private final ShardId shard;
  private final String copyId;
  private final long term;
  private final PartitionLog log;
  private final SimDisk disk;
  private final BooleanSupplier open;
  private final LongSupplier durableOffset;
  private final LogNeeds needs = new LogNeeds();
  private boolean asking;

  SimRetention(
      PrimaryActor primary, PartitionLog log, BooleanSupplier open, LongSupplier durableOffset) {
    this.world = primary.world;
    this.node = primary.node;
    this.shard = primary.shard;
    this.copyId = primary.copyId;
    this.term = primary.term();
    this.log = log;
    this.disk = primary.disk;
    this.open = open;
    this.durableOffset = durableOffset;
  }

  /** Asks the other copies, and truncates when all have answered or timed out. */
  void run(long publishedOffset) {
    ClusterState state = node.stateAtTheEnd().orElse(ClusterState.EMPTY);
    IndexMetadata index = state.index(shard.indexUuid()).orElse(null);
    ShardRouting routing = state.shard(shard).orElse(null);
    if (asking || index == null || routing == null || !isPrimary(routing) || !retention(index)) {
      return;
    }
    asking = true;
    long askedMicros = world.queue().nowMicros();
    long durable = durableOffset.getAsLong();
    Long stored = stored();
    Map<String, Long> answers = new TreeMap<>();
    List<CopyRouting> others =
        routing.everywhere().stream().filter(copy -> !copy.copyId().equals(copyId)).toList();
    int[] left = {others.size()};
    Runnable one =
        () -> {
          if (--left[0] <= 0) {
            asking = false;
            // Asking takes time, in which leases may have been added.
            ClusterState now = node.stateAtTheEnd().orElse(ClusterState.EMPTY);
            if (now.shard(shard).filter(routing::equals).isPresent()) {
              decide(
                  new LogNeeds.Shard(
                      copies(routing, durable, answers),
                      publishedOffset,
                      stored,
                      leases(now),
                      now.index(shard.indexUuid())
                          .filter(promoted -> promoted.awaitsFork(shard.number()))
                          .isPresent()),
                  now,
                  askedMicros);
            }
          }
        };
    if (others.isEmpty()) {
      one.run();
    }
    for (CopyRouting copy : others) {
      ask(copy, answers, one);
    }
  }

  private Map<String, Long> leases(ClusterState now) {
    Map<String, Long> retained = new TreeMap<>();
    Pins pins =
        world.mutated(Mutation.TRUNCATE_PAST_A_PINNED_COMMIT)
            ? new Pins(List.of())
            : disk.pinned.pins();
    if (!world.mutated(Mutation.TRUNCATE_PAST_A_FOLLOWER)) {
      now.index(shard.indexUuid())
          .map(IndexMetadata::leases)
          .orElse(Map.of())
          .forEach((holder, lease) ->
              retained.put(holder, pins.neededFrom(lease.retainedFrom(shard.number()))));
    }
    return retained;
  }

  private boolean isPrimary(ShardRouting routing) {
    boolean placed = routing.primary().copyId().equals(copyId) && routing.newestTerm() == term;
    return open.getAsBoolean()
        && (world.mutated(Mutation.TRUNCATE_BEFORE_THE_START)
            ? placed
            : routing.isServedBy(copyId, term));
  }

  private static boolean retention(IndexMetadata index) {
    return IndexSettings.logRetention(index.settings()).shortened();
  }

  private Long stored() {
    if (!world.indices().hasStore(shard)) {
      return null;
    }
    Manifest newest = world.store().newest(shard);
    return newest == null ? LogNeeds.UNKNOWN : newest.nextOffset();
  }

  private void ask(CopyRouting copy, Map<String, Long> answers, Runnable then) {
    String nodeId = copy.nodeId();
    if (nodeId == null) {
      then.run();
      return;
    }
    SimNode other = world.node(nodeId);
    world
        .network()
        .<Long>call(
            node.process(),
            other.process(),
            reply -> {
              SimCopy there = other.copy(copy.copyId());
              if (there != null) {
                reply.accept(there.durableOffset());
              }
            },
            offset -> {
              answers.put(copy.copyId(), offset);
              then.run();
            },
            then);
  }

  private List<LogNeeds.Copy> copies(
      ShardRouting routing, long durable, Map<String, Long> answers) {
    List<LogNeeds.Copy> copies = new ArrayList<>();
    for (CopyRouting copy : routing.everywhere()) {
      boolean self = copy.copyId().equals(copyId);
      long offset = self ? durable : answers.getOrDefault(copy.copyId(), LogNeeds.UNKNOWN);
      copies.add(
          new LogNeeds.Copy(
              copy.copyId(),
              role(copy),
              copy.nodeId(),
              self || copy.started(),
              broken(self) ? Long.MAX_VALUE : offset));
    }
    return copies;
  }

  private LogNeeds.Role role(CopyRouting copy) {
    if (copy.copyId().equals(copyId)) {
      return LogNeeds.Role.PRIMARY;
    }
    return copy.searchOnly() ? LogNeeds.Role.SEARCH : LogNeeds.Role.REPLICA;
  }

  private boolean broken(boolean self) {
    return self
        ? world.mutated(Mutation.TRUNCATE_PAST_THE_PRIMARYS_COMMIT)
        : world.mutated(Mutation.TRUNCATE_PAST_A_REPLICAS_COMMIT);
  }

  private void decide(LogNeeds.Shard now, ClusterState state, long askedMicros) {
    if (!open.getAsBoolean()) {
      return;
    }
    LogRetention retention =
        IndexSettings.logRetention(
            state.index(shard.indexUuid()).map(IndexMetadata::settings).orElse(Map.of()));
    LogNeeds.Rules rules =
        new LogNeeds.Rules(
            retention.minCopies(), retention.graceMillis(), retention.leasePeriodMillis());
    try {
      if (needs.at(now, rules, world.queue().nowMillis())
              instanceof LogNeeds.Needs.Known(List<RetentionPlanner.Need> known)
          && PLANNER.plan(log.startOffset(), log.endOffset(), known)
              instanceof RetentionPlanner.Plan.ForgetBefore(long offset)) {
        log.truncateBefore(offset);
        world.note(shard + " is truncated before " + offset);
        world.observe(new Observation.Truncated(shard, offset, state, askedMicros));
      }
    } catch (LogException e) {
      world.note("truncation postponed: " + e.getMessage());
    }
  }
}
