package io.varve.client;

import io.varve.rpc.NodeLoad;
import io.varve.rpc.ReadDemand;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Conditions of one call to a copy.
 *
 * @param demand what the copy must show
 * @param trial the attempt at the shard to which the call belongs, null when attempts are not
 *     tracked
 */
public record CallTerms(ReadDemand demand, @Nullable Trial trial) {

  public static final CallTerms NONE = new CallTerms(ReadDemand.NONE, null);

  /**
   * One attempt at a shard.
   *
   * @param id by which it is cancelled
   * @param expectedNanos time that a worker of the node should take, 0 while unknown
   * @param heard receives the load that the node reports with any answer
   */
  public record Trial(String id, long expectedNanos, Consumer<NodeLoad> heard) {}

  /** Conditions without a trial. */
  public static CallTerms of(ReadDemand demand) {
    return new CallTerms(demand, null);
  }
}
