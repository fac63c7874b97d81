package io.varve.shard.primary;

import io.varve.host.CopyContext;
import io.varve.rpc.ForceMergeRequest;
import io.varve.rpc.Reencoded;
import java.util.function.BooleanSupplier;

/** Rewrites segments of a primary on request, and publishes the result to its replicas. */
record PrimaryMaintenance(CopyContext context) {

  void forceMerge(PrimaryParts parts, ForceMergeRequest request) {
    parts.engine().settings(context.settings());
    parts.engine().forceMerge(request);
    if (request.flush()) {
      parts.committer().commit();
    }
    // Publish the merged segments before the response, so that the caller then sees them.
    parts.refresher().refreshMerged().join();
  }

  Reencoded reencode(PrimaryParts parts, long bytesPerSecond, BooleanSupplier stop) {
    parts.engine().settings(context.settings());
    Reencoded done = parts.engine().reencode(bytesPerSecond, stop);
    if (done.segments() > 0) {
      // The last commit refers to the replaced files until the next one.
      parts.committer().commit();
      parts.refresher().refreshMerged().join();
    }
    return done;
  }
}
