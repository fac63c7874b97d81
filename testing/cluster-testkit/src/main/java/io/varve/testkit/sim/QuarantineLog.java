package io.varve.testkit.sim;

import io.varve.events.RawRecord;
import io.varve.events.StoredRecord;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;

/**
 * The quarantine topic as one process writes it. Each append is answered at once, because its
 * caller blocks; some fail, after or before the record landed.
 */
final class QuarantineLog implements PartitionLog {

  static final String TOPIC = "quarantine." + World.LEADER.indexUuid();

  private static final int APPENDS_PER_FAILURE = 12;

  private final World world;
  private final SimulatedPartition partition;
  private final PartitionLog log;
  private final String writer;

  QuarantineLog(World world, SimProcess process) {
    this.world = world;
    this.partition = world.logs().partition(TOPIC);
    this.writer = "quarantine-" + process;
    this.log = world.open(TOPIC, process, writer);
  }

  @Override
  public String topic() {
    return TOPIC;
  }

  @Override
  public int partition() {
    return log.partition();
  }

  @Override
  public int maxRecordBytes() {
    return log.maxRecordBytes();
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

  @Override
  public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
    log.read(fromOffset, toOffset, visitor);
  }

  @Override
  public long startOffset() throws LogException.Unavailable {
    return log.startOffset();
  }

  @Override
  public long endOffset() throws LogException.Unavailable {
    return log.endOffset();
  }

  @Override
  public Subscription subscribe(long fromOffset, BatchListener listener) {
    return log.subscribe(fromOffset, listener);
  }

  @Override
  public void truncateBefore(long offset) throws LogException {
    log.truncateBefore(offset);
  }
}
