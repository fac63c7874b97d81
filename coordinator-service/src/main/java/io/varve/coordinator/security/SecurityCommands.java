package io.varve.coordinator.security;

import io.varve.security.SecurityCommand;

/** Changes of the security state. */
public interface SecurityCommands {

  /**
   * The outcome of a change.
   *
   * @param version of the state with the change
   * @param created whether an entity was created
   */
  record Applied(long version, boolean created) {}

  /**
   * Returns when this process has read the change.
   *
   * @throws io.varve.rpc.ApiException the change is refused, or its outcome is unknown (503)
   */
  Applied execute(SecurityCommand command) throws InterruptedException;
}
