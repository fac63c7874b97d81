package io.varve.control;

import io.varve.events.NodeHeartbeat;

/**
 * Decides whether the process at the address in a heartbeat is the node that the heartbeat names.
 * Without this check, a forged heartbeat could redirect requests for a node to another process.
 */
@FunctionalInterface
public interface AddressProof {

  /** Accepts every address: without certificates a node cannot prove its identity. */
  AddressProof BELIEVED = (_, _) -> true;

  /**
   * Returns immediately whether the address is known to be that of the node.
   *
   * @param later runs on another thread when this becomes known
   */
  boolean isProven(NodeHeartbeat beat, Runnable later);
}
