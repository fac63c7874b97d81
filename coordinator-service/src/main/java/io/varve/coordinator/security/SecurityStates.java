package io.varve.coordinator.security;

import io.varve.security.Authorizer;
import io.varve.security.SecurityState;

/** The security state as known to this process. */
public interface SecurityStates {

  /**
   * A state, with the permissions that follow from it.
   *
   * @param authorizer for this state
   */
  record Current(SecurityState state, Authorizer authorizer) {

    public Current(SecurityState state) {
      this(state, new Authorizer(state));
    }
  }

  /**
   * @throws io.varve.rpc.ApiException 503: the state is not known, so all requests are refused
   */
  Current current();
}
