package io.varve.node;

import io.varve.cluster.IndexMetadata;
import io.varve.engine.MappingSource;

/** An index's mapping as the cluster state has it; the last one known when the index is gone. */
public final class IndexMapping implements MappingSource {

  private final CopyContext context;
  private volatile Versioned last;

  public IndexMapping(CopyContext context) {
    this.context = context;
    IndexMetadata index = context.index();
    this.last = new Versioned(index.mappingVersion(), index.mapping());
  }

  @Override
  public Versioned current() {
    context
        .node()
        .cluster()
        .current()
        .index(context.shard().indexUuid())
        .filter(index -> index.mappingVersion() > last.version())
        .ifPresent(index -> last = new Versioned(index.mappingVersion(), index.mapping()));
    return last;
  }
}
