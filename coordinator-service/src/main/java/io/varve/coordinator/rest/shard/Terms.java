package io.varve.coordinator.rest.shard;

import io.varve.rpc.NodeLoad;
import io.varve.rpc.ReadDemand;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * On which terms one copy is searched.
 *
 * @param demand what it must show
 * @param trial which of the attempts at the shard that is, null where nobody keeps account of it
 */
public record Terms(ReadDemand demand, @Nullable Trial trial) {

  public static final Terms NONE = new Terms(ReadDemand.NONE, null);

  /**
   * One attempt at a shard.
   *
   * @param id by which it is cancelled alone
   * @param expectedNanos that a worker of the node should take, 0 while unknown
   * @param heard told what the node says of itself, with its answer of whatever kind
   */
  public record Trial(String id, long expectedNanos, Consumer<NodeLoad> heard) {}

  /** Whatever the copy shows. */
  public static Terms of(ReadDemand demand) {
    return new Terms(demand, null);
  }
}
