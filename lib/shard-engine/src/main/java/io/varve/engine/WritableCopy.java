package io.varve.engine;

import io.varve.events.Operation;
import io.varve.rpc.WriteItem;
import org.jspecify.annotations.Nullable;

/**
 * What the write path of a primary needs of its copy. A write is resolved, its operation is in
 * flight from the append on, and it is applied once the log has accepted it.
 */
public interface WritableCopy {

  /**
   * Decides on a write, seeing everything appended before. One at a time, under the sequencer's
   * lock.
   */
  Resolution resolve(WriteItem item, Parsed parsed);

  /**
   * The operation has its seq_no and was sent to the log: {@link #resolve} sees it from here on.
   * Under the sequencer's lock.
   */
  void inFlight(Operation operation);

  /**
   * Applies an accepted operation. In order for each id; different ids in parallel.
   *
   * @param offset its offset in the log
   * @param decided what it was resolved to here, {@code null} on recovery and on replicas
   * @return whether it changed anything: false if it was applied before
   */
  boolean apply(long offset, Operation operation, Resolution.@Nullable Append decided);
}
