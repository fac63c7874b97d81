package io.varve.testkit.sim;

import io.varve.engine.MappingSource;
import io.varve.events.ShardId;

/** The mapping of an index in its node's view; the mapping of a deleted index remains available. */
final class SimMapping implements MappingSource {

  private final SimNode node;
  private final ShardId shard;
  private Versioned known = new Versioned(0, "{}");

  SimMapping(SimNode node, ShardId shard) {
    this.node = node;
    this.shard = shard;
  }

  @Override
  public Versioned current() {
    node.state()
        .index(shard.indexUuid())
        .filter(index -> index.mappingVersion() > known.version())
        .ifPresent(index -> known = new Versioned(index.mappingVersion(), index.mapping()));
    return known;
  }

  long version() {
    return current().version();
  }
}
