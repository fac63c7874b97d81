package io.varve.testkit.sim;

import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/**
 * One process's client of a partition, with the failure modes of a producer.
 *
 * <p>Appends are stored in call order or not at all. An append whose outcome is reported as unknown
 * may never be stored (which leaves a gap if later ones are), may have been stored already, or may
 * be stored much later: after another writer's fence, and after its own process has ended. Reads
 * are answered immediately, or report that the log is unreachable.
 */
final class SimulatedLog implements PartitionLog {

  private static final int MAX_RECORD_BYTES = 1 << 20;
  private static final long TIMEOUT_MICROS = 120_000;
  private static final long RETRY_MICROS = 15_000;

  /** Probabilities of append faults, from 0 to 1. */
  record Faults(double lost, double answerLost, double delayed, double full) {
    static final Faults NONE = new Faults(0, 0, 0, 0);
  }

  private static final class Pending {
    final RawRecord record;
    final AppendCallback callback;
    final long notBeforeMicros;
    final boolean lost;
    final boolean answerLost;
    final int brokerStart;
    boolean givenUp;
    boolean mayLandLate;

    Pending(
        RawRecord record,
        AppendCallback callback,
        long notBeforeMicros,
        boolean lost,
        boolean answerLost,
        int brokerStart) {
      this.record = record;
      this.callback = callback;
      this.notBeforeMicros = notBeforeMicros;
      this.lost = lost;
      this.answerLost = answerLost;
      this.brokerStart = brokerStart;
    }
  }

  private final SimulatedPartition partition;
  private final SimProcess process;
  private final long incarnation;
  private final Network network;
  private final EventQueue queue;
  private final Random random;
  private final World world;
  private final String writer;
  private final Deque<Pending> wire = new ArrayDeque<>();
  private boolean pumping;
  private long lastCallbackMicros;

  SimulatedLog(SimulatedPartition partition, SimProcess process, World world, String writer) {
    this.partition = partition;
    this.process = process;
    this.incarnation = process.incarnation();
    this.network = world.network();
    this.queue = world.queue();
    this.random = world.random();
    this.world = world;
    this.writer = writer;
  }

  @Override
  public String topic() {
    return partition.topic();
  }

  @Override
  public int partition() {
    return partition.number();
  }

  @Override
  public int maxRecordBytes() {
    return MAX_RECORD_BYTES;
  }

  @Override
  public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
    if (record.sizeBytes() > MAX_RECORD_BYTES) {
      throw new IllegalArgumentException(
          "a record of " + record.sizeBytes() + " bytes exceeds the limit of " + MAX_RECORD_BYTES);
    }
    Faults faults = world.faults().appendFaults(partition.topic());
    if (happens(faults.full)) {
      throw new LogException.Full("simulated: too many appends in flight");
    }
    long delay =
        happens(faults.delayed)
            ? TIMEOUT_MICROS + random.nextInt(2_500_000)
            : network.latencyMicros();
    Pending pending =
        new Pending(
            record,
            callback,
            queue.nowMicros() + delay,
            happens(faults.lost),
            happens(faults.answerLost),
            partition.restarts());
    wire.addLast(pending);
    process.after(TIMEOUT_MICROS, () -> giveUp(pending));
    pump();
  }

  private void giveUp(Pending pending) {
    if (!pending.givenUp) {
      pending.givenUp = true;
      pending.mayLandLate = random.nextInt(3) > 0;
      inOrder(() -> pending.callback.unknown("simulated: append timed out"));
    }
  }

  /** Delivers appends. The network drives it, so it continues after the end of the process. */
  private void pump() {
    if (pumping || wire.isEmpty()) {
      return;
    }
    pumping = true;
    queue.at(wire.getFirst().notBeforeMicros, this::deliverHead);
  }

  private void deliverHead() {
    Pending head = wire.getFirst();
    if ((head.givenUp && !head.mayLandLate) || head.brokerStart != partition.restarts()) {
      drop();
      return;
    }
    if (!partition.available() || !reachable()) {
      boolean senderDead = process.incarnation() != incarnation;
      if (senderDead && random.nextInt(4) == 0) {
        drop();
      } else {
        queue.after(RETRY_MICROS, this::deliverHead);
      }
      return;
    }
    wire.removeFirst();
    pumping = false;
    if (!head.lost) {
      StoredRecord stored = partition.land(head.record, writer);
      if (!head.answerLost && process.incarnation() == incarnation) {
        process.after(network.latencyMicros(), () -> answer(head, stored));
      }
    }
    pump();
  }

  private void drop() {
    wire.removeFirst();
    pumping = false;
    pump();
  }

  private void answer(Pending pending, StoredRecord stored) {
    if (!pending.givenUp) {
      pending.givenUp = true;
      inOrder(() -> pending.callback.appended(stored.offset(), stored.timestampMillis()));
    }
  }

  private void inOrder(Runnable callback) {
    lastCallbackMicros = Math.max(lastCallbackMicros + 1, queue.nowMicros());
    process.after(lastCallbackMicros - queue.nowMicros(), callback);
  }

  private boolean happens(double rate) {
    return rate > 0 && random.nextDouble() < rate;
  }

  private boolean reachable() {
    if (topic().equals(RemoteLeader.TOPIC)) {
      return network.connected(process.name(), Network.REMOTE);
    }
    return network.connected(process.name(), Network.LOG)
        && (!isOfTheCluster() || network.connected(process.name(), Network.CLUSTER_TOPICS));
  }

  private boolean isOfTheCluster() {
    return topic().equals(World.CLUSTER) || topic().equals(SimHeartbeats.TOPICS.nodes());
  }

  private void requireReachable() throws LogException.Unavailable {
    if (!partition.available() || !reachable()) {
      throw new LogException.Unavailable("simulated: the log is unreachable");
    }
  }

  @Override
  public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
    requireReachable();
    if (fromOffset < partition.startOffset()
        || fromOffset > toOffset
        || toOffset > partition.endOffset()) {
      throw new LogException.OutOfRange(
          "[" + fromOffset + ", " + toOffset + ") is not in " + partition.topic());
    }
    for (long offset = fromOffset; offset < toOffset; offset++) {
      visitor.visit(partition.record(offset));
    }
  }

  @Override
  public long startOffset() throws LogException.Unavailable {
    requireReachable();
    return partition.startOffset();
  }

  @Override
  public long endOffset() throws LogException.Unavailable {
    requireReachable();
    return partition.endOffset();
  }

  @Override
  public Subscription subscribe(long fromOffset, BatchListener listener) {
    Follower follower = new Follower(fromOffset, listener);
    follower.wake();
    return follower;
  }

  @Override
  public void truncateBefore(long offset) throws LogException {
    requireReachable();
    if (offset > partition.endOffset()) {
      throw new LogException.OutOfRange(
          "can't truncate before " + offset + ", the end is " + partition.endOffset());
    }
    partition.truncateBefore(offset);
  }

  /** Delivers records in batches of random size whenever there are any. */
  private final class Follower implements Subscription {
    private final BatchListener listener;
    private long position;
    private int restarts = partition.restarts();
    private boolean closed;

    /** Whether the listener was not ready; nothing is delivered until it resumes. */
    private boolean full;

    Follower(long position, BatchListener listener) {
      this.position = position;
      this.listener = listener;
    }

    void wake() {
      if (process.incarnation() != incarnation) {
        return;
      }
      process.after(network.latencyMicros(), this::poll);
    }

    private void poll() {
      if (closed) {
        return;
      }
      if (!partition.available() || !reachable()) {
        process.after(RETRY_MICROS, this::poll);
        return;
      }
      if (position < partition.startOffset() || position > partition.endOffset()) {
        lose(position + " is not in the partition");
        return;
      }
      if (restarts != partition.restarts()) {
        restarts = partition.restarts();
        listener.reconnected();
      }
      if (!listener.isReady()) {
        full = true;
        return;
      }
      if (position < partition.endOffset()) {
        deliver();
      }
      if (closed) {
        return;
      }
      if (position < partition.endOffset()) {
        wake();
      } else {
        partition.whenChanged(this::wake);
      }
    }

    @Override
    public void resume() {
      if (full) {
        full = false;
        wake();
      }
    }

    private void lose(String reason) {
      closed = true;
      listener.lost(new LogException.OutOfRange(reason));
    }

    private void deliver() {
      long end = Math.min(partition.endOffset(), position + 1 + random.nextInt(16));
      List<StoredRecord> batch = new ArrayList<>();
      for (long offset = position; offset < end; offset++) {
        batch.add(partition.record(offset));
      }
      position = end;
      listener.logEnd(partition.endOffset(), 0);
      listener.records(batch);
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
