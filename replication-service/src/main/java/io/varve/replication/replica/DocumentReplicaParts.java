package io.varve.replication.replica;

import io.varve.engine.ShardEngine;
import io.varve.host.reading.LogEnd;
import io.varve.store.Joining;
import java.util.List;

/**
 * The parts of a document replica that exist once its engine is open.
 *
 * @param worker the thread that refreshes and commits
 */
record DocumentReplicaParts(
    ShardEngine engine,
    DocumentApplier applier,
    DocumentUpkeep upkeep,
    Thread worker,
    LogEnd logEnd) {

  /** Returns when no operation is applied, refreshed or committed any more. */
  void stop() {
    try {
      applier.close();
    } finally {
      upkeep.stop();
      Joining.uninterruptibly(List.of(worker));
    }
  }
}
