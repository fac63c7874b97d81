package io.varve.conformance.spec;

import java.util.List;

/** A request as it goes out: {@code target} is the encoded path with its query. */
public record ApiRequest(String method, String target, List<Object> bodies) {

  @Override
  public String toString() {
    return method + " " + target;
  }
}
