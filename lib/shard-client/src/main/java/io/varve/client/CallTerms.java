package io.varve.client;

import io.varve.rpc.NodeLoad;
import io.varve.rpc.ReadDemand;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Conditions of one call to a copy.
 *
 * @param demand what it must show
 * @param trial which of the attempts at the shard that is, null when attempts are not tracked
 */
public record CallTerms(ReadDemand demand, @Nullable Trial trial) {

  public static final CallTerms NONE = new CallTerms(ReadDemand.NONE, null);

  /**
   * One attempt at a shard.
   *
   * @param id by which it is cancelled alone
   * @param expectedNanos that a worker of the node should take, 0 while unknown
   * @param heard told what the node says of itself, with its answer of whatever kind
   */
  public record Trial(String id, long expectedNanos, Consumer<NodeLoad> heard) {}

  /** Without a trial. */
  public static CallTerms of(ReadDemand demand) {
    return new CallTerms(demand, null);
  }
}
