package io.varve.ccr;

import io.varve.log.DelegatingLog;
import io.varve.log.LogException;
import io.varve.log.PartitionLog;
import java.util.concurrent.Semaphore;

/** A partition whose readers share a limit of concurrent reads; further reads wait. */
final class BoundedReads extends DelegatingLog {

  private final PartitionLog log;
  private final Semaphore reads;

  BoundedReads(PartitionLog log, Semaphore reads) {
    super(log);
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
      super.read(fromOffset, toOffset, visitor);
    } finally {
      reads.release();
    }
  }

  @Override
  public Subscription subscribeAlone(long fromOffset, BatchListener listener) {
    return log.subscribeAlone(fromOffset, listener);
  }
}
