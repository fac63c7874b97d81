package io.varve.selection;

import java.util.Objects;

/**
 * A copy of a shard that may answer.
 *
 * @param node the node that holds it
 * @param started whether it serves already; one that doesn't is asked after all that do
 * @param near whether it shares the coordinator's zone; wins unless clearly slower
 */
public record Copy(String node, boolean started, boolean near) {

  public Copy {
    Objects.requireNonNull(node, "node");
  }

  /** A serving copy in the coordinator's own zone. */
  public static Copy on(String node) {
    return new Copy(node, true, true);
  }
}
