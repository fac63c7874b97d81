package io.varve.selection;

import java.util.List;
import java.util.Optional;

/**
 * The nodes to ask for one shard.
 *
 * @param nodes each node that holds a copy, once, best first; the order of failover too
 * @param shadow a node that gets a duplicate of the request now because its statistics are old: the
 *     first answer counts, its own is never cancelled, its failure is nobody's
 */
public record CopyOrder(List<String> nodes, Optional<String> shadow) {

  public CopyOrder {
    nodes = List.copyOf(nodes);
  }
}
