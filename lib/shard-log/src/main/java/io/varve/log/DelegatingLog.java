package io.varve.log;

import io.varve.events.RawRecord;

/** Forwards calls to another partition; subclasses override some of the methods. */
public abstract class DelegatingLog implements PartitionLog {

  private final PartitionLog log;

  protected DelegatingLog(PartitionLog log) {
    this.log = log;
  }

  @Override
  public String topic() {
    return log.topic();
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
  public void append(RawRecord record, AppendCallback callback) throws LogException.Full {
    log.append(record, callback);
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
  public void endAppends() {
    log.endAppends();
  }

  @Override
  public void truncateBefore(long offset) throws LogException {
    log.truncateBefore(offset);
  }
}
