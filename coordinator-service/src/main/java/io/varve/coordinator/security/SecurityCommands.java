package io.varve.coordinator.security;

import io.varve.security.SecurityCommand;
import io.varve.security.SecurityState;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
   * Returns when all coordinators have read the change.
   *
   * @throws io.varve.rpc.ApiException the change is refused, its outcome is unknown, or it is made
   *     but not read in time (503)
   */
  Applied execute(SecurityCommand command) throws InterruptedException;

  /**
   * Executes a command that follows from the newest state. It is derived again if the state changes
   * before the command is decided.
   *
   * @param derivation null if the state needs no change
   * @throws io.varve.rpc.ApiException as for {@link #execute}; the state changed each time (409);
   *     400 below the feature level of such changes
   */
  void change(Function<SecurityState, SecurityCommand.@Nullable ChangeAll> derivation)
      throws InterruptedException;
}
