package io.varve.testkit.sim;

import io.varve.events.Operation;
import io.varve.events.OperationCodec;
import io.varve.events.RawRecord;
import io.varve.events.RecordHeader;
import io.varve.events.ShardId;
import io.varve.events.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A shard of another cluster, whose operations the following index pulls. Its log has the records
 * that primaries write: fences of new terms, operations, and records that readers must reject. At
 * random times the cluster is restored from an older copy of its brokers' data:
 *
 * <pre>
 *   idle       nothing is written afterwards
 *   same term  a restored cluster log assigns the term of the copy again
 *   new term   the next fence replaces records that were read
 *   original   the log from before the first restoration is restored
 * </pre>
 *
 * Each restoration begins another history, whose accepted operations are kept for the invariants.
 */
final class RemoteLeader {

  static final ShardId SHARD = new ShardId("remote", 0);
  static final String TOPIC = "remote.operations";

  /** The version of the mapping that all of its operations need. */
  static final long MAPPING_VERSION = 1;

  private static final String WRITER = "remote";
  private static final int DOCUMENTS = 8;
  private static final int MOST_LOST = 16;

  private record Original(
      long cutAt, long beginning, long term, List<StoredRecord> tail, AcceptedLog accepted) {}

  private final World world;
  private final Random random;
  private final SimulatedPartition log;
  private final RemoteLeases leases;
  private final List<AcceptedLog> histories = new ArrayList<>();
  private @Nullable Original original;
  private long term;
  private long values;
  private boolean idle;
  private boolean fenceNext;

  RemoteLeader(World world) {
    this.world = world;
    this.random = world.random();
    this.log = world.logs().partition(TOPIC);
    this.leases = new RemoteLeases(world);
  }

  void start() {
    histories.add(new AcceptedLog());
    fence();
    again();
  }

  /** All histories that the log has had, newest last. */
  List<AcceptedLog> histories() {
    return histories;
  }

  RemoteLeases leases() {
    return leases;
  }

  AcceptedLog accepted() {
    return histories.getLast();
  }

  private void again() {
    world.queue().after(5_000 + random.nextInt(60_000), this::tick);
  }

  private void tick() {
    if (!idle && log.available()) {
      if (fenceNext) {
        fenceNext = false;
        fence();
      }
      act();
    }
    again();
  }

  private void act() {
    long next = accepted().lastSeqNo() + 1;
    switch (random.nextInt(16)) {
      case 0 -> fence();
      case 1 -> land(operation(Math.max(1, term - 1), next));
      case 2 -> land(operation(term, next + 1));
      case 3 -> land(operation(term, Math.max(0, next - 1)));
      case 4 -> truncate();
      default -> write(1 + random.nextInt(4));
    }
  }

  private void fence() {
    land(RecordHeader.fence(++term, WRITER));
  }

  /** Appends operations that readers accept. */
  void write(int operations) {
    for (int i = 0; i < operations; i++) {
      land(operation(term, accepted().lastSeqNo() + 1));
    }
  }

  private RawRecord operation(long ofTerm, long seqNo) {
    String id = "d" + random.nextInt(DOCUMENTS);
    byte[] source =
        random.nextInt(6) == 0
            ? null
            : "{\"v\":\"r%d\"}".formatted(values++).getBytes(StandardCharsets.UTF_8);
    return OperationCodec.encode(
        new Operation(ofTerm, seqNo, seqNo + 1, MAPPING_VERSION, id, null, source, null));
  }

  private void land(RawRecord record) {
    accepted().landed(log.land(record, WRITER), WRITER);
  }

  /** The leader retains the records from the lease of its follower on. */
  private void truncate() {
    leases.tick(world.queue().nowMillis() * SimLoop.SPEED);
    leases
        .retainedFrom()
        .filter(offset -> offset <= log.endOffset())
        .ifPresent(log::truncateBefore);
  }

  /** Replaces the log by an older copy, while its broker is stopped. */
  void restore() {
    if (!log.available() || log.endOffset() - log.startOffset() < 2) {
      return;
    }
    long beginning = log.startOffset();
    long formerEnd = log.endOffset();
    int lost = 1 + random.nextInt((int) Math.min(MOST_LOST, formerEnd - beginning - 1));
    long end = formerEnd - lost;
    long termOfCopy = Math.max(1, accepted().termBefore(end));
    AcceptedLog before = accepted();
    List<StoredRecord> tail = log.cutEnd(end);
    if (original == null) {
      original = new Original(end, beginning, term, tail, before);
    } else if (end < original.cutAt()) {
      List<StoredRecord> whole = new ArrayList<>(tail.subList(0, (int) (original.cutAt() - end)));
      whole.addAll(original.tail());
      original =
          new Original(end, beginning, original.term(), List.copyOf(whole), original.accepted());
    }
    log.unavailableFor(1_000L + random.nextInt(300_000));
    term = termOfCopy;
    int variant = random.nextInt(3);
    idle = variant == 0;
    fenceNext = variant == 2;
    beginHistory();
    if (!idle && random.nextBoolean()) {
      // Done before any reader reconnects.
      if (fenceNext) {
        fenceNext = false;
        fence();
      }
      write((int) (formerEnd - log.endOffset()) + random.nextInt(4));
    }
    world.note("the remote leader is restored to offset " + end + ", variant " + variant);
  }

  /** Restores the log from before the first restoration. */
  void restoreOriginal() {
    Original whole = original;
    if (whole != null && log.available()) {
      var _ = log.cutEnd(whole.cutAt());
      log.restore(Math.min(whole.beginning(), log.endOffset()), whole.tail());
      term = whole.term();
      idle = false;
      fenceNext = false;
      original = null;
      histories.add(whole.accepted());
      world.note("the remote leader has its original log again");
    }
  }

  private void beginHistory() {
    AcceptedLog next = new AcceptedLog();
    log.all().forEach(stored -> next.landed(stored, WRITER));
    histories.add(next);
  }

  /**
   * The last events of a run: the original log may be restored, and a last operation may be
   * written.
   */
  void heal() {
    if (random.nextBoolean()) {
      restoreOriginal();
    }
    if (!idle) {
      write(1);
    }
    idle = true;
  }
}
