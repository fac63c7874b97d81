package io.varve.conformance.spec;

import java.util.List;

/**
 * A request.
 *
 * @param target the encoded path and query
 */
public record ApiRequest(String method, String target, List<Object> bodies) {

  @Override
  public String toString() {
    return method + " " + target;
  }
}
