package io.varve.rest;

import java.util.List;

/** Several endpoints as one bean. */
public record RestEndpoints(List<RestEndpoint> endpoints) {

  public RestEndpoints {
    endpoints = List.copyOf(endpoints);
  }
}
