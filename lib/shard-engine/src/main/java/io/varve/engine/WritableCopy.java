package io.varve.engine;

import io.varve.events.Operation;
import io.varve.rpc.WriteItem;
import org.jspecify.annotations.Nullable;

/**
 * The part of a copy that a primary's write path needs. A write is resolved; its operation is in
 * flight from the append on, and is applied once the log has accepted it.
 */
public interface WritableCopy {

  /** Resolves a write against all operations appended before. Called under the sequencer's lock. */
  Resolution resolve(WriteItem item, Parsed parsed);

  /**
   * The operation has its seq_no and was sent to the log: {@link #resolve} takes it into account
   * from now on. Called under the sequencer's lock.
   */
  void inFlight(Operation operation);

  /**
   * Applies an accepted operation. Operations of one id are applied in order, those of different
   * ids in parallel.
   *
   * @param offset its offset in the log
   * @param decided its local resolution, {@code null} on recovery and on replicas
   * @return whether it changed anything: false if it had already been applied
   */
  boolean apply(long offset, Operation operation, Resolution.@Nullable Append decided);
}
