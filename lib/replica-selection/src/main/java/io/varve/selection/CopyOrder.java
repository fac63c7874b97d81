package io.varve.selection;

import java.util.List;
import java.util.Optional;

/**
 * The nodes to ask for one shard.
 *
 * @param nodes each node that holds a copy, once, best first; also the order of failover
 * @param shadow a node with outdated statistics that also gets the request now: the first answer is
 *     used, the shadow is never cancelled, and its failure is ignored
 */
public record CopyOrder(List<String> nodes, Optional<String> shadow) {

  public CopyOrder {
    nodes = List.copyOf(nodes);
  }
}
