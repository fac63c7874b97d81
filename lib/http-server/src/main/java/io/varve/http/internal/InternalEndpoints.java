package io.varve.http.internal;

import java.util.List;

/**
 * The internal endpoints of one feature of a service.
 *
 * @param prefix of all their templates; paths below it that have no route are answered with 404
 */
public record InternalEndpoints(String prefix, List<InternalRoute> routes) {

  /**
   * @throws IllegalArgumentException if a template is not below the prefix
   */
  public InternalEndpoints {
    routes = List.copyOf(routes);
    for (InternalRoute route : routes) {
      if (!(route.template() + "/").startsWith(prefix + "/")) {
        throw new IllegalArgumentException(
            "[" + route.template() + "] is not below [" + prefix + "]");
      }
    }
  }
}
