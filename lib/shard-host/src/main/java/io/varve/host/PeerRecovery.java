package io.varve.host;

import io.varve.log.LogException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Rebuilds the folder of a copy from another copy of its shard. Used if the last commit is older
 * than the start of the log, which {@code index.log.retention} has truncated.
 */
@FunctionalInterface
public interface PeerRecovery {

  /** For a node without the means to copy. */
  PeerRecovery NONE =
      (context, folder, recovery) -> {
        throw new IOException("this node can't copy " + context.shard() + " from another copy");
      };

  /**
   * Returns when the folder, which must not be open, holds a published manifest from which the log
   * can be replayed.
   *
   * @throws IOException if no copy has such a manifest, or none could be reached
   */
  void run(CopyContext context, Path folder, RecoveryProgress recovery)
      throws IOException, LogException, InterruptedException;
}
