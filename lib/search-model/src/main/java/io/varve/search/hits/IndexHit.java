package io.varve.search.hits;

import java.util.List;

/** A hit with the shard and the node that returned it. */
public record IndexHit(String index, int shard, String node, ShardHit hit) {

  public IndexHit withParts(List<ShardHit.Part> more) {
    return new IndexHit(index, shard, node, hit.withParts(more));
  }
}
