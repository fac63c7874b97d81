package io.varve.control.allocation;

import io.varve.cluster.IndexMetadata;
import io.varve.cluster.IndexSettings;
import io.varve.cluster.LogRetention;
import io.varve.cluster.ShardRouting;

/**
 * Whether any copy of a shard can be rebuilt without the folder of another copy.
 *
 * <pre>
 *   no primary was ever started              nothing was deleted from the log
 *   index.log.retention: forever             nothing is deleted from it
 *   fewer copies than retention.min_copies   nothing is deleted from it
 *   remote-backed                            the segment store has what the log lacks
 *   otherwise                                folders may have the only copy of operations
 * </pre>
 */
public final class LogCompleteness {

  private LogCompleteness() {}

  /** Whether log and segment store certainly suffice. */
  public static boolean isCertain(IndexMetadata index, ShardRouting shard) {
    LogRetention retention = IndexSettings.logRetention(index.settings());
    return shard.neverStarted()
        || IndexSettings.isRemoteBacked(index.settings())
        || shard.writeCopies().size() < retention.minCopies()
        || !retention.shortened();
  }
}
