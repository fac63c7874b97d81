package io.varve.host;

import io.varve.cluster.ClusterState;
import io.varve.cluster.IndexMetadata;
import io.varve.engine.MappingSource;

/** An index's mapping in the cluster state; after the index is deleted, the last known one. */
public final class IndexMapping implements MappingSource {

  /** {@code stateVersion} is the version of the cluster state that the mapping was read from. */
  private record Seen(long stateVersion, Versioned mapping) {}

  private final CopyContext context;
  private volatile Seen last;

  public IndexMapping(CopyContext context) {
    this.context = context;
    IndexMetadata index = context.index();
    this.last = new Seen(-1, new Versioned(index.mappingVersion(), index.mapping()));
  }

  /** Called for each document, so the result for a known cluster state is cached. */
  @Override
  public Versioned current() {
    ClusterState state = context.node().cluster().current();
    Seen seen = last;
    if (seen.stateVersion() >= state.version()) {
      return seen.mapping();
    }
    Versioned mapping =
        state
            .index(context.shard().indexUuid())
            .filter(index -> index.mappingVersion() > seen.mapping().version())
            .map(index -> new Versioned(index.mappingVersion(), index.mapping()))
            .orElse(seen.mapping());
    last = new Seen(state.version(), mapping);
    return mapping;
  }
}
