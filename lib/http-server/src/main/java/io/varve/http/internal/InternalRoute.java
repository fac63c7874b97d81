package io.varve.http.internal;

import java.util.List;
import java.util.function.Supplier;
import org.springframework.web.servlet.function.HandlerFilterFunction;

/**
 * A route of an internal endpoint.
 *
 * @param template a path as in {@link io.varve.http.route.RouteTree}
 * @param name under which the requests are counted
 * @param filters the endpoint's own filters, outermost first; they follow the filters of all
 *     endpoints
 */
public record InternalRoute(
    String method,
    String template,
    String name,
    List<HandlerFilterFunction<InternalResponse, InternalResponse>> filters,
    InternalEndpoint endpoint) {

  public InternalRoute {
    filters = List.copyOf(filters);
  }

  /** A route without filters of its own. */
  public InternalRoute(String method, String template, String name, InternalEndpoint endpoint) {
    this(method, template, name, List.of(), endpoint);
  }

  /** A route whose {@code GET} returns a value as JSON. */
  public static InternalRoute json(String template, String name, Supplier<?> value) {
    return new InternalRoute(
        "GET", template, name, call -> Bodies.sendJson(call.response(), value.get()));
  }
}
