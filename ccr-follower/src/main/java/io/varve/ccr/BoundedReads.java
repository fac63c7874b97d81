package io.varve.ccr;

import io.varve.events.RawRecord;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.util.concurrent.Semaphore;

/** A partition whose readers share a limit of concurrent reads; further ones wait. */
final class BoundedReads implements PartitionLog {

  private final PartitionLog log;
  private final Semaphore reads;

  BoundedReads(PartitionLog log, Semaphore reads) {
    this.log = log;
    this.reads = reads;
  }

  @Override
  public void read(long fromOffset, long toOffset, RecordVisitor visitor) throws LogException {
    try {
      reads.acquire();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LogException.Unavailable("interrupted while waiting to read", e);
    }
    try {
      log.read(fromOffset, toOffset, visitor);
    } finally {
      reads.release();
    }
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
  public Subscription subscribeAlone(long fromOffset, BatchListener listener) {
    return log.subscribeAlone(fromOffset, listener);
  }

  @Override
  public void truncateBefore(long offset) throws LogException {
    log.truncateBefore(offset);
  }
}
