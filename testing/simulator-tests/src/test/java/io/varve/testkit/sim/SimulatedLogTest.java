package io.varve.testkit.sim;

import io.varve.events.RawRecord;
import io.varve.log.DelegatingLog;
import io.varve.log.FencedPartitionContract;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Checks the simulated log against the contract of the real one; every effect of a call has
 * happened when the call returns.
 */
class SimulatedLogTest extends FencedPartitionContract {

  private static final long LONG_MICROS = 5_000_000;

  private final World world =
      new World(WorldShape.draw(new Random(1)), new Random(1), Set.of(), List.of());
  private final SimProcess process = new SimProcess("client", world.queue());
  private int partitions;
  private boolean running;

  @Override
  protected PartitionLog newPartition() {
    String topic = "contract-" + ++partitions;
    return new Prompt(world.open(topic, process, "client"));
  }

  @Override
  protected void cutEnd(PartitionLog log, long endOffset) {
    synchronized (world) {
      world.logs().partition(log.topic()).cutEnd(endOffset);
      run();
    }
  }

  /** Runs virtual time until no event is left. */
  private void run() {
    if (running) {
      return;
    }
    running = true;
    try {
      long until = world.queue().nowMicros() + LONG_MICROS;
      while (world.queue().runNext(until)) {
        // Run all events.
      }
    } finally {
      running = false;
    }
  }

  /** Synchronizes calls of several threads, because the simulation has only one. */
  private final class Prompt extends DelegatingLog {

    Prompt(PartitionLog log) {
      super(log);
    }

    @Override
    public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
      synchronized (world) {
        super.append(record, callback);
        run();
      }
    }

    @Override
    public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
      synchronized (world) {
        super.read(fromOffset, toOffset, visitor);
      }
    }

    @Override
    public long startOffset() throws LogException.Unavailable {
      synchronized (world) {
        return super.startOffset();
      }
    }

    @Override
    public long endOffset() throws LogException.Unavailable {
      synchronized (world) {
        return super.endOffset();
      }
    }

    @Override
    public Subscription subscribe(long fromOffset, BatchListener listener) {
      synchronized (world) {
        Subscription subscription = super.subscribe(fromOffset, listener);
        run();
        return subscription;
      }
    }

    @Override
    public void truncateBefore(long offset) throws LogException {
      synchronized (world) {
        super.truncateBefore(offset);
      }
    }
  }
}
