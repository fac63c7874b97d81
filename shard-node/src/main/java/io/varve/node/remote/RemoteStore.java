package io.varve.node.remote;

import io.varve.events.StoredManifest;
import io.varve.node.CopyContext;
import io.varve.node.RecoveryCourse;
import io.varve.rpc.CopyStats;
import io.varve.store.StoreAccess;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The segment store as a node's primaries use it.
 *
 * @param bootstrap brings a folder to a stored manifest
 */
public record RemoteStore(StoreAccess access, Bootstrap bootstrap) {

  /** Brings the files of a stored manifest into a folder that nobody has open. */
  @FunctionalInterface
  public interface Bootstrap {

    /**
     * Returns when the folder holds that point in time and no other; what was fetched for it.
     *
     * @throws IOException it does not, but may go on from what has arrived
     */
    CopyStats.Downloads run(
        CopyContext context, Path folder, StoredManifest target, RecoveryCourse recovery)
        throws IOException, InterruptedException;
  }
}
