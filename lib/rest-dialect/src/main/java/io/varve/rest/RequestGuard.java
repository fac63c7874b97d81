package io.varve.rest;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;

/** Decides whether a request may be executed, from its route and before its body is read. */
@FunctionalInterface
public interface RequestGuard {

  /**
   * Runs the rest of the request with the rights of its user.
   *
   * @param variables the decoded path segments that match the variables of the template
   * @throws io.varve.rpc.ApiException the request is refused; nothing was run
   */
  void guard(
      HttpServletRequest http,
      Route route,
      Map<String, String> variables,
      RequestRunner.Action request)
      throws InterruptedException;
}
