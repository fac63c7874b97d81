package io.varve.host;

import io.varve.rpc.BootstrapWire;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongConsumer;

/** Fills the folder of a follower's primary with the leader's segments. */
@FunctionalInterface
public interface LeaderRecovery {

  /** For a process without the means to copy segments. */
  LeaderRecovery NONE =
      (context, folder, plan, recovery, missingBytes) -> {
        throw new IOException("this node can't copy the leader's segments of " + context.shard());
      };

  /**
   * Returns when the folder, which must not be open, holds the files of the plan's manifest as the
   * content before the first record of the follower's log.
   *
   * @param missingBytes receives, at each change, the number of bytes that are not local yet
   * @throws IOException if not all files could be fetched; a later call continues with those, and
   *     the parts, that have arrived
   */
  void run(
      CopyContext context,
      Path folder,
      BootstrapWire.Plan plan,
      RecoveryProgress recovery,
      LongConsumer missingBytes)
      throws IOException, InterruptedException;
}
