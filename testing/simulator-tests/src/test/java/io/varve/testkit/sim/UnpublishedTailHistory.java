package io.varve.testkit.sim;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.StoredRecord;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A history in which the log of a strongly consistent DOCUMENT index loses operations that no
 * manifest shows and that strong gets have returned, while the process of the primary restarts from
 * an older commit. Only the replicas still hold them. The primary must not continue on that log.
 */
final class UnpublishedTailHistory {

  private static final long SECOND = 1_000_000;

  private static final long LONGEST_MICROS = CutLogWorld.LONGEST_MICROS;

  private static final long MANIFESTS_AWAY_MICROS = SECOND;

  private final World world;
  private final Random random;
  private final CutLogWorld cut;
  private final StrongReaders readers;

  UnpublishedTailHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
    random = new Random(seed * 0x9E3779B97F4A7C15L);
    world = new World(shape(random), random, mutations, invariants);
    cut = new CutLogWorld(world, random, new Convergence(world));
    readers = new StrongReaders(world);
    world.commitWhatTheLogLost();
    world.start();
    world.faults().heal();
  }

  private static WorldShape shape(Random random) {
    return Stream.generate(() -> WorldShape.draw(random).withStrongLeader().truncatingAlone())
        .filter(shape -> shape.leaderType().equals(IndexMetadata.DOCUMENT))
        .findFirst()
        .orElseThrow();
  }

  /** Ends as soon as all copies show the whole log. */
  void run() {
    world.clients().plan(world.queue().nowMicros(), 3 * SECOND);
    SimulatedPartition log = world.logs().partition(World.ops(World.LEADER));
    cut.await("all serve", 2_500, SECOND / 500, cut::allServe);
    world.logs().partition(World.manifests(World.LEADER)).unavailableFor(MANIFESTS_AWAY_MICROS);
    cut.await(
        "some operations are held by all and not published",
        2_500,
        SECOND / 500,
        this::mayLoseUnpublished);
    readAll();
    long start = log.startOffset();
    SimNode primary = primary();
    List<StoredRecord> tail = loseUnpublished(log, primary);
    world.queue().after(random.nextInt((int) LONGEST_MICROS), primary::start);
    world.clients().plan(world.queue().nowMicros(), LONGEST_MICROS);
    cut.passAtMost(LONGEST_MICROS);
    cut.restore(log, start, tail);
  }

  private SimNode primary() {
    ShardRouting shard = world.newestState().shard(World.LEADER).orElseThrow();
    return world.node(String.valueOf(shard.primary().nodeId()));
  }

  /** Before it, the primary itself or a manifest proves that the log lost its end. */
  private long unprovenFrom() {
    ShardRouting shard = world.newestState().shard(World.LEADER).orElseThrow();
    SimDisk disk = primary().disks().get(shard.primary().copyId());
    long committed = disk == null || disk.commit == null ? 0 : disk.committedOffset();
    return Math.max(committed, world.logs().publishedOffset(World.LEADER));
  }

  private boolean mayLoseUnpublished() {
    AcceptedLog accepted = world.logs().acceptedLog(World.LEADER);
    AcceptedLog.Accepted last = accepted.last();
    return last != null
        && last.offset() >= unprovenFrom()
        && world.routedCopies(World.LEADER).stream()
            .allMatch(copy -> copy.held().current() == accepted.lastSeqNo());
  }

  /** Strong gets return what all copies hold. */
  private void readAll() {
    for (int i = 0; i < world.shape().documents(); i++) {
      readers.read("d" + i);
    }
    cut.pass(20_000);
    cut.await("what was read is not published yet", 2_500, SECOND / 500, this::mayLoseUnpublished);
  }

  /** Kills the process of the primary at the same moment. */
  private List<StoredRecord> loseUnpublished(SimulatedPartition log, SimNode primary) {
    long last = world.logs().acceptedLog(World.LEADER).accepted().getLast().offset();
    long from = unprovenFrom();
    long end = from + random.nextInt((int) (last - from + 1));
    world.note("kill " + primary.process());
    primary.kill();
    world.note("the log ends at " + end + " instead of " + log.endOffset());
    return log.cutEndUnderWriters(end);
  }
}
