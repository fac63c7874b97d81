package io.varve.selection;

import java.util.Objects;

/**
 * A copy of a shard that may answer.
 *
 * @param node the node that holds it
 * @param started whether it already serves; other copies are asked last
 * @param near whether it is in the coordinator's zone; preferred unless clearly slower
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
