package io.varve.rest.openapi;

import io.varve.rest.ParameterKind;
import io.varve.rest.RequestExample;
import io.varve.rest.RestEndpoint;
import io.varve.rest.RestRequest;
import io.varve.rest.Route;
import io.varve.rpc.ApiException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Determines the parameters and body that a route reads, by preparing requests whose action is
 * never run: one without a body and one with the endpoint's example.
 *
 * @param parameters of the query, sorted, without those common to all endpoints
 * @param refusal the reason for which the endpoint accepted neither request, in which case it may
 *     not have read everything
 */
public record EndpointProbe(
    Map<String, ParameterKind> parameters, Body body, @Nullable String refusal) {

  public enum Body {
    NONE,
    OPTIONAL,
    REQUIRED
  }

  public static EndpointProbe of(RestEndpoint endpoint, Route route) {
    RequestExample example = endpoint.example();
    Map<String, ParameterKind> read = new TreeMap<>();
    RestRequest bare = request(route, example, "");
    String refusal = refusal(endpoint, bare);
    boolean needsBody = refusal != null;
    read.putAll(bare.parametersRead());
    if (!example.body().isEmpty()) {
      RestRequest full = request(route, example, example.body());
      refusal = refusal(endpoint, full);
      read.putAll(full.parametersRead());
    }
    read.keySet().removeAll(RestRequest.COMMON.keySet());
    // A parameter of one path is accepted in the query of another path; it is not documented there.
    endpoint.routes().forEach(other -> read.keySet().removeAll(other.parameters()));
    Body body = bare.isBodyRead() ? needsBody ? Body.REQUIRED : Body.OPTIONAL : Body.NONE;
    return new EndpointProbe(read, body, refusal);
  }

  private static RestRequest request(Route route, RequestExample example, String body) {
    Map<String, String> values = new HashMap<>();
    route.parameters().forEach(name -> values.put(name, name.contains("metric") ? "_all" : name));
    values.putAll(example.parameters());
    return new RestRequest(
        route.method(), route.template(), values, body.getBytes(StandardCharsets.UTF_8));
  }

  private static @Nullable String refusal(RestEndpoint endpoint, RestRequest request) {
    try {
      endpoint.prepare(request);
      return null;
    } catch (ApiException e) {
      return e.error().reason();
    } catch (JacksonException e) {
      return e.getOriginalMessage();
    }
  }
}
