package io.varve.testkit.sim;

import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import io.varve.log.DelegatingLog;

/**
 * The quarantine topic as one process writes it. Each append is answered immediately, because its
 * caller blocks. Some appends fail, before or after the record was stored.
 */
final class QuarantineLog extends DelegatingLog {

  static final String TOPIC = "quarantine." + World.LEADER.indexUuid();

  private static final int APPENDS_PER_FAILURE = 12;

  private final World world;
  private final SimulatedPartition partition;
  private final String writer;

  QuarantineLog(World world, SimProcess process) {
    super(world.open(TOPIC, process, writer(process)));
    this.world = world;
    this.partition = world.logs().partition(TOPIC);
    this.writer = writer(process);
  }

  private static String writer(SimProcess process) {
    return "quarantine-" + process;
  }

  @Override
  public void append(RawRecord record, AppendCallback callback) {
    boolean fails = world.random().nextInt(APPENDS_PER_FAILURE) == 0;
    if (fails && world.random().nextBoolean()) {
      callback.unknown("simulated: it did not land");
      return;
    }
    StoredRecord stored = partition.land(record, writer);
    if (fails) {
      callback.unknown("simulated: it landed");
    } else {
      callback.appended(stored.offset(), stored.timestampMillis());
    }
  }
}
