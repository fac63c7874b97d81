package io.varve.coordinator.rest;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;

/**
 * What closes or deletes indices may have to name them: {@code action.destructive_requires_name}.
 */
public final class DestructiveNames {

  private DestructiveNames() {}

  /** Throws an {@link ApiException} when the expression has a wildcard that is not allowed. */
  public static void check(ClusterState state, String expression) {
    boolean wide = IndexResolver.isAll(expression) || Wildcard.isPattern(expression);
    String setting = ClusterSettings.value(state, ClusterSettings.DESTRUCTIVE_REQUIRES_NAME);
    if (wide && "true".equals(setting)) {
      throw new ApiException(
          ErrorBody.illegalArgument("Wildcard expressions or all indices are not allowed"));
    }
  }
}
