package io.varve.cluster;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code index.auto_expand_replicas}: the number of replicas follows the number of nodes, within
 * bounds.
 *
 * <p>With n nodes that may hold copies of the index, the number of replicas is n - 1, limited to
 * {@code min} and {@code max}. Without such a node it is not changed.
 */
public record AutoExpansion(int min, int max) {

  /** The bound {@code all}. */
  private static final int ALL = Integer.MAX_VALUE;

  public AutoExpansion {
    if (min > max) {
      throw new ApiException(
          ErrorBody.illegalArgument(
              "["
                  + IndexSettings.AUTO_EXPAND_REPLICAS
                  + "] minReplicas must be =< maxReplicas but wasn't "
                  + min
                  + " > "
                  + max));
    }
  }

  /**
   * Parses a value of the setting; empty for {@code false}.
   *
   * @throws ApiException 400 for a value that is neither {@code false} nor {@code 0-1} nor {@code
   *     0-all}
   */
  public static Optional<AutoExpansion> parse(String value) {
    if (value.equals("false")) {
      return Optional.empty();
    }
    int dash = value.indexOf('-');
    try {
      if (dash > 0) {
        String most = value.substring(dash + 1);
        return Optional.of(
            new AutoExpansion(
                Integer.parseUnsignedInt(value.substring(0, dash)),
                most.equals("all") ? ALL : Integer.parseUnsignedInt(most)));
      }
    } catch (NumberFormatException e) {
      throw unreadable(value, dash);
    }
    throw unreadable(value, dash);
  }

  private static ApiException unreadable(String value, int dash) {
    return new ApiException(
        ErrorBody.illegalArgument(
            "failed to parse ["
                + IndexSettings.AUTO_EXPAND_REPLICAS
                + "] from value: ["
                + value
                + "] at index "
                + dash));
  }

  /** The required number of replicas. */
  public OptionalInt replicas(int nodes) {
    return nodes > 0 ? OptionalInt.of(Math.clamp(nodes - 1L, min, max)) : OptionalInt.empty();
  }
}
