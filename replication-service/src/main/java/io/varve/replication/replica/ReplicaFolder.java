package io.varve.replication.replica;

import io.varve.engine.EngineConfig;
import io.varve.engine.SegmentEngine;
import io.varve.host.CopyContext;
import io.varve.store.CopyFolder;
import java.nio.file.Path;

/**
 * An open folder of segments with the means to add files to it.
 *
 * @param engine knows the files that belong to an installed manifest
 * @param files links, deletes and lists files in the same folder
 */
record ReplicaFolder(
    CopyContext context, SegmentTransfers transfers, SegmentEngine engine, CopyFolder files) {

  static ReplicaFolder open(CopyContext context, SegmentTransfers transfers, Path directory) {
    SegmentEngine engine =
        SegmentEngine.open(
            new EngineConfig(context.shard(), directory, 0, context.index().settings()));
    return new ReplicaFolder(context, transfers, engine, new CopyFolder(directory));
  }
}
