package io.varve.host;

import io.varve.events.StoredManifest;
import io.varve.rpc.CopyStats;
import java.io.IOException;
import java.nio.file.Path;

/** Fetches the files of a manifest from the segment store into a folder that is not open. */
@FunctionalInterface
public interface StoreRecovery {

  /** For a process without the means to copy segments. */
  StoreRecovery NONE =
      (context, folder, target, recovery) -> {
        throw new IOException(
            "this node can't copy " + context.shard() + " from the segment store");
      };

  /**
   * Returns when the folder holds the segments of {@code target} and no others; the result counts
   * what was fetched.
   *
   * @throws IOException if not all files could be fetched; a later call continues with those that
   *     have arrived
   */
  CopyStats.Downloads run(
      CopyContext context, Path folder, StoredManifest target, RecoveryProgress recovery)
      throws IOException, InterruptedException;
}
