package io.varve.control;

import io.varve.events.NodeHeartbeat;

/**
 * Decides whether the process at the address in a heartbeat is the node that the heartbeat names.
 * Whoever can write heartbeats could otherwise send this process to another one.
 */
@FunctionalInterface
public interface AddressProof {

  /** Without certificates, nothing says which node a process is. */
  AddressProof BELIEVED = (_, _) -> true;

  /**
   * Whether it is known to be that node. Returns immediately.
   *
   * @param later runs, on another thread, if this becomes known
   */
  boolean isProven(NodeHeartbeat beat, Runnable later);
}
