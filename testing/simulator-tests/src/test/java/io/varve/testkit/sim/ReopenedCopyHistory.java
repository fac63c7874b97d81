package io.varve.testkit.sim;

import io.varve.cluster.CopyRouting;
import io.varve.cluster.IndexMetadata;
import io.varve.cluster.ShardRouting;
import io.varve.events.StoredRecord;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A history in which a replica of a strongly consistent DOCUMENT index reports operations, fails,
 * and is opened again at once, under the same id, while the log loses operations that the replica
 * had not committed. It starts without them. The primary, which has not noticed the loss, and the
 * other replica, whose answers are late, still hold them. They must not count as replicated.
 */
final class ReopenedCopyHistory {

  private static final long SECOND = 1_000_000;

  /** The leader removes a node that is away from the log for longer. */
  private static final long MOST_AWAY_MICROS = SECOND / 3;

  /** Longer than the primary waits for an answer of the other replica. */
  private static final long ANSWERED_MICROS = 3 * SECOND / 2;

  private final World world;
  private final Random random;
  private final CutLogWorld cut;
  private final StrongReaders readers;

  ReopenedCopyHistory(long seed, Set<Mutation> mutations, List<Invariant> invariants) {
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
        .filter(shape -> shape.leaderType().equals(IndexMetadata.DOCUMENT) && shape.replicas() == 2)
        .findFirst()
        .orElseThrow();
  }

  /** Returns whether the replica proved its start without operations that it had reported. */
  boolean run() {
    world.clients().plan(world.queue().nowMicros(), SECOND);
    SimulatedPartition log = world.logs().partition(World.ops(World.LEADER));
    cut.await("all serve", 2_500, SECOND / 500, cut::allServe);
    ShardRouting shard = world.newestState().shard(World.LEADER).orElseThrow();
    String primary = String.valueOf(shard.primary().nodeId());
    CopyRouting reopened = shard.replicas().getFirst();
    String late = String.valueOf(shard.replicas().getLast().nodeId());
    world.network().cut(primary, late);
    long unknownFrom = log.endOffset();
    world.clients().plan(world.queue().nowMicros(), SECOND / 10);
    boolean lost =
        awaits(SECOND / 2, () -> mayLose(reopened, unknownFrom))
            && loses(log, primary, reopened, unknownFrom);
    world.network().healAll();
    cut.pass(ANSWERED_MICROS);
    return lost;
  }

  private SimCopy open(CopyRouting copy) {
    return Objects.requireNonNull(world.node(String.valueOf(copy.nodeId())).copy(copy.copyId()));
  }

  /** Before it, the copy or a manifest proves that the log lost its end. */
  private long unprovenFrom(CopyRouting copy) {
    return Math.max(
        open(copy).disk().committedOffset(), world.logs().publishedOffset(World.LEADER));
  }

  private boolean mayLose(CopyRouting copy, long unknownFrom) {
    AcceptedLog accepted = world.logs().acceptedLog(World.LEADER);
    AcceptedLog.Accepted last = accepted.last();
    return last != null
        && last.offset() >= Math.max(unknownFrom, unprovenFrom(copy))
        && open(copy).held().current() == accepted.lastSeqNo();
  }

  /** The primary is cut from the log, so that it does not notice the loss. */
  private boolean loses(
      SimulatedPartition log, String primary, CopyRouting reopened, long unknownFrom) {
    for (int i = 0; i < world.shape().documents(); i++) {
      readers.read("d" + i);
    }
    cut.pass(10_000);
    world.network().cut(primary, Network.LOG);
    cut.pass(20_000);
    if (!mayLose(reopened, unknownFrom)) {
      return false;
    }
    long last = world.logs().acceptedLog(World.LEADER).accepted().getLast().offset();
    long from = Math.max(unknownFrom, unprovenFrom(reopened));
    long end = from + random.nextInt((int) (last - from + 1));
    world.note("the log ends at " + end + " instead of " + log.endOffset());
    long start = log.startOffset();
    List<StoredRecord> tail = log.cutEndUnderWriters(end);
    SimNode node = world.node(String.valueOf(reopened.nodeId()));
    node.reopen(open(reopened));
    boolean proven = awaits(MOST_AWAY_MICROS, () -> node.startReports().isProven(open(reopened)));
    world.network().healAll();
    cut.pass(ANSWERED_MICROS);
    cut.restore(log, start, tail);
    return proven;
  }

  private boolean awaits(long micros, BooleanSupplier condition) {
    for (long i = 0; i < micros && !condition.getAsBoolean(); i += SECOND / 500) {
      cut.pass(SECOND / 500);
    }
    return condition.getAsBoolean();
  }
}
