package io.varve.cluster;

import io.varve.rpc.ApiException;
import io.varve.rpc.ErrorBody;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * {@code index.auto_expand_replicas}: an index has as many replicas as there are nodes for them,
 * within bounds.
 *
 * <p>Of n nodes that may hold copies of the index one has the primary: n - 1 replicas, but not less
 * than {@code min} and not more than {@code max}. Where there is no node at all nothing is changed.
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
   * Nothing for {@code false}.
   *
   * @throws ApiException 400 for what is neither {@code false} nor {@code 0-1} nor {@code 0-all}
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

  /** How many replicas there are to be. */
  public OptionalInt replicas(int nodes) {
    return nodes > 0 ? OptionalInt.of(Math.clamp(nodes - 1L, min, max)) : OptionalInt.empty();
  }
}
