package io.varve.coordinator.rest;

import io.varve.cluster.ClusterSettings;
import io.varve.cluster.ClusterState;
import io.varve.names.Wildcard;
import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.stream.Stream;

/** Enforces {@code action.destructive_requires_name} for requests that close or delete indices. */
public final class DestructiveNames {

  private DestructiveNames() {}

  /** Throws an {@link ApiException} if the expression contains a wildcard that is not allowed. */
  public static void check(ClusterState state, String expression) {
    String setting = ClusterSettings.value(state, ClusterSettings.DESTRUCTIVE_REQUIRES_NAME);
    if ("true".equals(setting) && isWide(expression)) {
      throw new ApiException(
          ErrorBody.illegalArgument("Wildcard expressions or all indices are not allowed"));
    }
  }

  private static boolean isWide(String expression) {
    return IndexResolver.isAll(expression)
        || Stream.of(expression.split(",", -1))
            .map(DateMathName::resolve)
            .anyMatch(name -> name.equals("_all") || Wildcard.isPattern(name));
  }
}
