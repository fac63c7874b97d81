package io.varve.http.internal;

import io.varve.http.route.LazyServerRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.function.ServerRequest;

/** One request to an internal endpoint, with its route and its response. */
public final class InternalCall extends LazyServerRequest {

  private static final String NO_ROUTE = "unknown";

  private final HttpServletResponse response;
  private final InternalResponse written;
  private String name = NO_ROUTE;
  private String template = NO_ROUTE;
  private Map<String, String> variables = Map.of();

  InternalCall(HttpServletRequest request, HttpServletResponse response) {
    super(request);
    this.response = response;
    this.written = new InternalResponse(response);
  }

  /** Casts the request that filters and handlers of internal routes receive. */
  public static InternalCall of(ServerRequest request) {
    return (InternalCall) request;
  }

  void route(InternalRoute route, Map<String, String> decoded) {
    name = route.name();
    template = route.template();
    variables = decoded;
  }

  public HttpServletRequest request() {
    return servletRequest();
  }

  public HttpServletResponse response() {
    return response;
  }

  /** The return value of a handler that has written the response. */
  public InternalResponse written() {
    return written;
  }

  /** The name of the route; {@code unknown} without one. */
  public String name() {
    return name;
  }

  /** The template of the route; {@code unknown} without one. */
  String template() {
    return template;
  }

  /** The decoded path segments that match the variables of the template. */
  @Override
  public Map<String, String> pathVariables() {
    return variables;
  }

  public @Nullable String variable(String variable) {
    return variables.get(variable);
  }

  public String requiredVariable(String variable) {
    return Objects.requireNonNull(variables.get(variable), variable);
  }
}
